import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Backoff } from '@gatehouse/retry/backoff';

/** The end of a process: its exit code or signal. */
export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A started process. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<Exit>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** A service as the supervisor needs it. */
export interface SupervisedService {
  readonly name: string;
  readonly after: readonly string[];
  readonly stopRank: number;
}

/**
 * The state of a service. `waiting`: for another service. `restarting`: after its end, including
 * the pause. `stopped`: it does not start again.
 */
export type ServiceState = 'waiting' | 'starting' | 'ready' | 'restarting' | 'stopped';

/** The processes and the clock of the supervisor; tests use their own. */
export interface SupervisorEnvironment<S extends SupervisedService> {
  launch(service: S): Child;
  /** Whether the service is ready. */
  probe(service: S, child: Child): Promise<boolean>;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Called at each change of the state of a service. */
  changed(service: S, state: ServiceState, detail?: { exit?: Exit; pause?: number }): void;
}

/** A service could not be started. */
export class StartFailedError extends GatehouseError {
  override readonly code = 'start_failed';
  readonly service: string;

  constructor(service: string, reason: string) {
    super(`${service} ${reason}`);
    this.service = service;
  }
}

const PROBE_INTERVAL = 50;
const BACKOFF = { firstMs: 250, longestMs: 5000, jitter: 0 };
/** After this time of readiness, the next pause is short again. */
const STEADY_MS = 30_000;
/** Number of ends before the first readiness after which the start fails. */
const START_ATTEMPTS = 3;
const START_DEADLINE = 60_000;
const STOP_GRACE = 10_000;

/** Starts services in the order of their dependencies, restarts ended ones, stops all in order. */
export class Supervisor<S extends SupervisedService> {
  readonly #services: readonly S[];
  readonly #environment: SupervisorEnvironment<S>;
  readonly #children = new Map<string, Child>();
  readonly #states = new Map<string, ServiceState>();
  readonly #loops: Promise<void>[] = [];
  readonly #firstReady = new Map<string, PromiseWithResolvers<undefined>>();
  readonly #stop = Promise.withResolvers<undefined>();
  #stopping = false;

  constructor(services: readonly S[], environment: SupervisorEnvironment<S>) {
    this.#services = services;
    this.#environment = environment;
    for (const { name } of services) {
      const firstReady = Promise.withResolvers<undefined>();
      // Handles the rejection of a failed start for which no caller waits.
      firstReady.promise.catch(() => undefined);
      this.#firstReady.set(name, firstReady);
    }
  }

  /**
   * Resolves when every service has been ready.
   * @throws {StartFailedError} when a service cannot start. The caller must then call stop().
   */
  async start(): Promise<void> {
    for (const service of this.#services) this.#loops.push(this.#runService(service));
    const deadline = this.#environment.sleep(START_DEADLINE).then(() => {
      const late = this.#services.filter(({ name }) => this.getState(name) !== 'ready').map(({ name }) => name);
      if (late.length > 0)
        throw new StartFailedError(late.join(', '), `was not ready within ${START_DEADLINE / 1000} s`);
    });
    const all = Promise.all([...this.#firstReady.values()].map(({ promise }) => promise));
    await Promise.race([all, deadline.then(() => all), this.#stop.promise]);
  }

  getState(name: string): ServiceState {
    return this.#states.get(name) ?? 'waiting';
  }

  /** Returns the process ids of the running services. */
  pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([name, { pid }]) => [name, pid]));
  }

  /** Stops the services rank by rank, and kills one that does not end within 10 s. */
  async stop(): Promise<void> {
    if (!this.#stopping) {
      this.#stopping = true;
      this.#stop.resolve(undefined);
    }
    const ranks = [...new Set(this.#services.map(({ stopRank }) => stopRank))].sort((a, b) => a - b);
    for (const rank of ranks) {
      await Promise.all(this.#services.filter(({ stopRank }) => stopRank === rank).map(({ name }) => this.#end(name)));
    }
    await Promise.all(this.#loops);
  }

  /** Kills all services at once. */
  kill(): void {
    this.#stopping = true;
    this.#stop.resolve(undefined);
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }

  async #end(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child) return;
    child.kill('SIGTERM');
    const timeout = this.#environment.sleep(STOP_GRACE).then(() => 'late');
    if ((await Promise.race([child.exited, timeout])) === 'late') child.kill('SIGKILL');
    await child.exited;
  }

  async #runService(service: S): Promise<void> {
    const needs = service.after.flatMap((name) => this.#firstReady.get(name)?.promise ?? []);
    this.#change(service, 'waiting');
    await Promise.race([Promise.all(needs).catch(() => undefined), this.#stop.promise]);
    const backoff = new Backoff(BACKOFF);
    while (!this.#stopping) {
      const { exit, readyFor } = await this.#runOnce(service);
      if (this.#isStopping()) break;
      if (readyFor >= STEADY_MS) backoff.reset();
      const pause = backoff.next();
      this.#failStart(service, backoff.count, exit);
      this.#change(service, 'restarting', { exit, pause });
      await Promise.race([this.#environment.sleep(pause), this.#stop.promise]);
    }
    this.#change(service, 'stopped');
  }

  async #runOnce(service: S): Promise<{ exit: Exit; readyFor: number }> {
    this.#change(service, 'starting');
    const child = this.#launch(service);
    this.#children.set(service.name, child);
    const ready = this.#becomeReady(service, child);
    const exit = await child.exited;
    this.#children.delete(service.name);
    const since = await ready;
    return { exit, readyFor: since === undefined ? 0 : this.#environment.now() - since };
  }

  /** Starts a service. A failed launch counts as an immediate end with code 127. */
  #launch(service: S): Child {
    try {
      return this.#environment.launch(service);
    } catch {
      return { pid: 0, exited: Promise.resolve({ code: 127, signal: null }), kill: () => undefined };
    }
  }

  /** @returns the time when the service was ready; undefined when it ended before */
  async #becomeReady(service: S, child: Child): Promise<number | undefined> {
    const isRunning = (): boolean => this.#children.get(service.name) === child;
    while (isRunning() && !this.#stopping) {
      if ((await this.#environment.probe(service, child)) && isRunning()) {
        this.#change(service, 'ready');
        this.#firstReady.get(service.name)?.resolve(undefined);
        return this.#environment.now();
      }
      await Promise.race([this.#environment.sleep(PROBE_INTERVAL), child.exited]);
    }
    return undefined;
  }

  #isStopping(): boolean {
    return this.#stopping;
  }

  #failStart(service: S, attempt: number, exit: Exit): void {
    if (attempt < START_ATTEMPTS || exit.code === 0) return;
    const how = exit.signal ? `by ${exit.signal}` : `with code ${exit.code ?? 'unknown'}`;
    this.#firstReady
      .get(service.name)
      ?.reject(new StartFailedError(service.name, `ended ${START_ATTEMPTS} times ${how} before it was ready`));
  }

  #change(service: S, state: ServiceState, detail?: { exit?: Exit; pause?: number }): void {
    this.#states.set(service.name, state);
    this.#environment.changed(service, state, detail);
  }
}
