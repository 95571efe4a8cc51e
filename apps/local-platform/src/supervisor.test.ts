import { describe, expect, it } from '@jest/globals';
import {
  type Child,
  type Exit,
  StartFailedError,
  type SupervisedService,
  Supervisor,
  type ServiceState,
} from './supervisor.ts';

interface Fake extends Child {
  end(exit?: Partial<Exit>): void;
  killedBy: string[];
}

/**
 * A world whose clock moves only when the test says so, and whose processes do what the test says.
 */
class World {
  time = 0;
  readonly launched: string[] = [];
  readonly running = new Map<string, Fake>();
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
    const child: Fake = {
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

  /** Lets time pass in steps of 50 ms, and everything that waits for it happen. */
  async pass(milliseconds: number): Promise<void> {
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

async function started(): Promise<{ world: World; supervisor: Supervisor<SupervisedService> }> {
  const world = new World();
  for (const { name } of SERVICES) world.ready.add(name);
  const supervisor = new Supervisor(SERVICES, world);
  const start = supervisor.start();
  await world.pass(200);
  await start;
  return { world, supervisor };
}

describe('starting', () => {
  it('starts services without dependencies first, and the others when these are ready', async () => {
    const world = new World();
    const supervisor = new Supervisor(SERVICES, world);
    const start = supervisor.start();
    await world.pass(500);
    expect(world.launched).toEqual(['database', 'page']);
    world.ready.add('database').add('page');
    await world.pass(100);
    expect(world.launched).toEqual(['database', 'page', 'service']);
    expect(supervisor.stateOf('service')).toBe('starting');
    world.ready.add('service');
    await world.pass(100);
    await start;
    expect(SERVICES.map(({ name }) => supervisor.stateOf(name))).toEqual(['ready', 'ready', 'ready']);
  });

  it('fails when a service ends three times before it is ready, and names it', async () => {
    const world = new World();
    const failure = new Supervisor(SERVICES, world).start().catch((error: unknown) => error);
    for (let attempt = 0; attempt < 3; attempt++) {
      await world.pass(1000);
      world.running.get('page')?.end({ code: 7 });
    }
    await world.pass(100);
    const error = await failure;
    expect(error).toBeInstanceOf(StartFailedError);
    expect(error).toMatchObject({ service: 'page', message: expect.stringContaining('ended 3 times with code 7') });
  });

  it('fails after a minute when a service is never ready', async () => {
    const world = new World();
    world.ready.add('database').add('page');
    const failure = new Supervisor(SERVICES, world).start().catch((error: unknown) => error);
    await world.pass(60_050);
    expect(await failure).toMatchObject({ service: 'service', message: expect.stringContaining('60 s') });
  });

  it('tolerates one early end', async () => {
    const world = new World();
    for (const { name } of SERVICES) world.ready.add(name);
    world.ready.delete('page');
    const supervisor = new Supervisor(SERVICES, world);
    const start = supervisor.start();
    await world.pass(100);
    world.running.get('page')?.end({ code: 1 });
    world.ready.add('page');
    await world.pass(1000);
    await start;
    expect(world.launched.filter((name) => name === 'page')).toHaveLength(2);
  });
});

describe('restarting', () => {
  it('retries when a process cannot be created', async () => {
    const { world, supervisor } = await started();
    const launch = world.launch.bind(world);
    world.launch = () => {
      throw new Error('EAGAIN');
    };
    world.running.get('page')?.end({ code: 1 });
    await world.pass(600);
    expect(supervisor.stateOf('page')).toBe('restarting');
    world.launch = launch;
    await world.pass(1000);
    expect(supervisor.stateOf('page')).toBe('ready');
  });

  it('restarts a killed service after a pause and keeps the others running', async () => {
    const { world, supervisor } = await started();
    const others = world.running.get('database')?.pid;
    world.running.get('service')?.end({ code: null, signal: 'SIGKILL' });
    await world.pass(200);
    expect(supervisor.stateOf('service')).toBe('restarting');
    await world.pass(200);
    expect(supervisor.stateOf('service')).toBe('ready');
    expect(world.running.get('database')?.pid).toBe(others);
  });

  it('doubles the pause, and resets it after half a minute of readiness', async () => {
    const { world } = await started();
    const pauses = (): string[] => world.history.filter((line) => line.startsWith('page restarting'));
    for (const pause of [250, 500, 1000, 2000]) {
      world.running.get('page')?.end({ code: 1 });
      await world.pass(pause + 200);
    }
    await world.pass(31_000);
    world.running.get('page')?.end({ code: 1 });
    await world.pass(100);
    expect(pauses()).toEqual([250, 500, 1000, 2000, 250].map((pause) => `page restarting ${pause}`));
  });

  it('restarts a service that is killed every few seconds within 5 s', async () => {
    const { world, supervisor } = await started();
    for (let kill = 0; kill < 12; kill += 1) {
      world.running.get('service')?.end({ code: null, signal: 'SIGKILL' });
      await world.pass(5100);
      expect(supervisor.stateOf('service')).toBe('ready');
    }
  });

  it('ignores the answer of a process that has ended meanwhile', async () => {
    const { world, supervisor } = await started();
    world.ready.delete('page');
    world.running.get('page')?.end();
    await world.pass(300);
    const page = world.running.get('page');
    page?.end();
    world.ready.add('page');
    await settle();
    expect(supervisor.stateOf('page')).toBe('restarting');
  });
});

describe('stopping', () => {
  it('stops rank by rank and restarts no service', async () => {
    const { world, supervisor } = await started();
    const stop = supervisor.stop();
    await world.pass(1000);
    await stop;
    expect(world.history.filter((line) => line.endsWith('stopped'))).toEqual([
      'page stopped',
      'service stopped',
      'database stopped',
    ]);
    expect(world.running.size).toBe(0);
    expect(world.launched).toHaveLength(3);
  });

  it('kills a service after 10 s before it stops the next rank', async () => {
    const { world, supervisor } = await started();
    world.stubborn.add('service');
    const service = world.running.get('service');
    const stop = supervisor.stop();
    await world.pass(9000);
    expect(world.running.get('database')?.killedBy).toEqual([]);
    await world.pass(2000);
    await stop;
    expect(service?.killedBy).toEqual(['SIGTERM', 'SIGKILL']);
  });

  it('ends a start in progress', async () => {
    const world = new World();
    const supervisor = new Supervisor(SERVICES, world);
    const start = supervisor.start();
    await world.pass(100);
    const stop = supervisor.stop();
    await world.pass(100);
    await Promise.all([start, stop]);
    expect(world.launched).not.toContain('service');
    expect(world.running.size).toBe(0);
  });

  it('works while a service waits for its restart', async () => {
    const { world, supervisor } = await started();
    world.running.get('page')?.end({ code: 1 });
    await settle();
    const stop = supervisor.stop();
    await world.pass(1000);
    await stop;
    expect(world.launched.filter((name) => name === 'page')).toHaveLength(1);
  });
});
