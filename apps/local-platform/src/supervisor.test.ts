import { describe, expect, it } from '@jest/globals';
import {
  type Child,
  type Exit,
  StartFailedError,
  type SupervisedService,
  Supervisor,
  type ServiceState,
} from './supervisor.ts';

interface FakeChild extends Child {
  end(exit?: Partial<Exit>): void;
  killedBy: string[];
}

/** Fake processes and a fake clock. The test controls both. */
class FakeEnvironment {
  time = 0;
  readonly launched: string[] = [];
  readonly running = new Map<string, FakeChild>();
  readonly ready = new Set<string>();
  readonly history: string[] = [];
  /** Services that ignore SIGTERM. */
  readonly stubborn = new Set<string>();
  #sleepers: { until: number; wake: () => void }[] = [];
  #pid = 100;

  launch(service: SupervisedService): Child {
    this.launched.push(service.name);
    let end: (exit: Exit) => void = () => undefined;
    const exited = new Promise<Exit>((resolve) => (end = resolve));
    const child: FakeChild = {
      pid: this.#pid++,
      exited,
      killedBy: [],
      end: (exit = {}) => {
        this.running.delete(service.name);
        end({ code: 0, signal: null, ...exit });
      },
      kill: (signal) => {
        child.killedBy.push(signal);
        if (signal === 'SIGKILL' || !this.stubborn.has(service.name)) child.end({ code: null, signal });
      },
    };
    this.running.set(service.name, child);
    return child;
  }

  probe(service: SupervisedService): Promise<boolean> {
    return Promise.resolve(this.ready.has(service.name));
  }

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.time + milliseconds, wake }));
  }

  changed(service: SupervisedService, state: ServiceState, detail?: { pause?: number }): void {
    this.history.push(`${service.name} ${state}${detail?.pause === undefined ? '' : ` ${detail.pause}`}`);
  }

  /** Advances the clock in steps of 50 ms and runs everything that waits for it. */
  async advance(milliseconds: number): Promise<void> {
    await settle();
    for (const end = this.time + milliseconds; this.time < end;) {
      this.time += 50;
      const due = this.#sleepers.filter(({ until }) => until <= this.time);
      this.#sleepers = this.#sleepers.filter(({ until }) => until > this.time);
      for (const { wake } of due) wake();
      await settle();
    }
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SERVICES: SupervisedService[] = [
  { name: 'database', after: [], stopRank: 2 },
  { name: 'service', after: ['database'], stopRank: 1 },
  { name: 'page', after: [], stopRank: 0 },
];

async function startServices(): Promise<{ environment: FakeEnvironment; supervisor: Supervisor<SupervisedService> }> {
  const environment = new FakeEnvironment();
  for (const { name } of SERVICES) environment.ready.add(name);
  const supervisor = new Supervisor(SERVICES, environment);
  const start = supervisor.start();
  await environment.advance(200);
  await start;
  return { environment, supervisor };
}

describe('start', () => {
  it('starts services without dependencies first, and the others when these are ready', async () => {
    const environment = new FakeEnvironment();
    const supervisor = new Supervisor(SERVICES, environment);
    const start = supervisor.start();
    await environment.advance(500);
    expect(environment.launched).toEqual(['database', 'page']);
    environment.ready.add('database').add('page');
    await environment.advance(100);
    expect(environment.launched).toEqual(['database', 'page', 'service']);
    expect(supervisor.getState('service')).toBe('starting');
    environment.ready.add('service');
    await environment.advance(100);
    await start;
    expect(SERVICES.map(({ name }) => supervisor.getState(name))).toEqual(['ready', 'ready', 'ready']);
  });

  it('fails when a service ends three times before it is ready, and names it', async () => {
    const environment = new FakeEnvironment();
    const failure = new Supervisor(SERVICES, environment).start().catch((error: unknown) => error);
    for (let attempt = 0; attempt < 3; attempt++) {
      await environment.advance(1000);
      environment.running.get('page')?.end({ code: 7 });
    }
    await environment.advance(100);
    const error = await failure;
    expect(error).toBeInstanceOf(StartFailedError);
    expect(error).toMatchObject({ service: 'page', message: expect.stringContaining('ended 3 times with code 7') });
  });

  it('fails after a minute when a service is never ready', async () => {
    const environment = new FakeEnvironment();
    environment.ready.add('database').add('page');
    const failure = new Supervisor(SERVICES, environment).start().catch((error: unknown) => error);
    await environment.advance(60_050);
    expect(await failure).toMatchObject({ service: 'service', message: expect.stringContaining('60 s') });
  });

  it('tolerates one early end', async () => {
    const environment = new FakeEnvironment();
    for (const { name } of SERVICES) environment.ready.add(name);
    environment.ready.delete('page');
    const supervisor = new Supervisor(SERVICES, environment);
    const start = supervisor.start();
    await environment.advance(100);
    environment.running.get('page')?.end({ code: 1 });
    environment.ready.add('page');
    await environment.advance(1000);
    await start;
    expect(environment.launched.filter((name) => name === 'page')).toHaveLength(2);
  });
});

describe('restart', () => {
  it('retries when a process cannot be created', async () => {
    const { environment, supervisor } = await startServices();
    const launch = environment.launch.bind(environment);
    environment.launch = () => {
      throw new Error('EAGAIN');
    };
    environment.running.get('page')?.end({ code: 1 });
    await environment.advance(600);
    expect(supervisor.getState('page')).toBe('restarting');
    environment.launch = launch;
    await environment.advance(1000);
    expect(supervisor.getState('page')).toBe('ready');
  });

  it('restarts a killed service after a pause and keeps the others running', async () => {
    const { environment, supervisor } = await startServices();
    const others = environment.running.get('database')?.pid;
    environment.running.get('service')?.end({ code: null, signal: 'SIGKILL' });
    await environment.advance(200);
    expect(supervisor.getState('service')).toBe('restarting');
    await environment.advance(200);
    expect(supervisor.getState('service')).toBe('ready');
    expect(environment.running.get('database')?.pid).toBe(others);
  });

  it('doubles the pause, and resets it after half a minute of readiness', async () => {
    const { environment } = await startServices();
    const pauses = (): string[] => environment.history.filter((line) => line.startsWith('page restarting'));
    for (const pause of [250, 500, 1000, 2000]) {
      environment.running.get('page')?.end({ code: 1 });
      await environment.advance(pause + 200);
    }
    await environment.advance(31_000);
    environment.running.get('page')?.end({ code: 1 });
    await environment.advance(100);
    expect(pauses()).toEqual([250, 500, 1000, 2000, 250].map((pause) => `page restarting ${pause}`));
  });

  it('restarts a service that is killed every few seconds within 5 s', async () => {
    const { environment, supervisor } = await startServices();
    for (let kill = 0; kill < 12; kill += 1) {
      environment.running.get('service')?.end({ code: null, signal: 'SIGKILL' });
      await environment.advance(5100);
      expect(supervisor.getState('service')).toBe('ready');
    }
  });

  it('ignores the answer of a process that has ended meanwhile', async () => {
    const { environment, supervisor } = await startServices();
    environment.ready.delete('page');
    environment.running.get('page')?.end();
    await environment.advance(300);
    const page = environment.running.get('page');
    page?.end();
    environment.ready.add('page');
    await settle();
    expect(supervisor.getState('page')).toBe('restarting');
  });
});

describe('stop', () => {
  it('stops rank by rank and restarts no service', async () => {
    const { environment, supervisor } = await startServices();
    const stop = supervisor.stop();
    await environment.advance(1000);
    await stop;
    expect(environment.history.filter((line) => line.endsWith('stopped'))).toEqual([
      'page stopped',
      'service stopped',
      'database stopped',
    ]);
    expect(environment.running.size).toBe(0);
    expect(environment.launched).toHaveLength(3);
  });

  it('kills a service after 10 s before it stops the next rank', async () => {
    const { environment, supervisor } = await startServices();
    environment.stubborn.add('service');
    const service = environment.running.get('service');
    const stop = supervisor.stop();
    await environment.advance(9000);
    expect(environment.running.get('database')?.killedBy).toEqual([]);
    await environment.advance(2000);
    await stop;
    expect(service?.killedBy).toEqual(['SIGTERM', 'SIGKILL']);
  });

  it('ends a start in progress', async () => {
    const environment = new FakeEnvironment();
    const supervisor = new Supervisor(SERVICES, environment);
    const start = supervisor.start();
    await environment.advance(100);
    const stop = supervisor.stop();
    await environment.advance(100);
    await Promise.all([start, stop]);
    expect(environment.launched).not.toContain('service');
    expect(environment.running.size).toBe(0);
  });

  it('works while a service waits for its restart', async () => {
    const { environment, supervisor } = await startServices();
    environment.running.get('page')?.end({ code: 1 });
    await settle();
    const stop = supervisor.stop();
    await environment.advance(1000);
    await stop;
    expect(environment.launched.filter((name) => name === 'page')).toHaveLength(1);
  });
});
