import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** What a process ended with. */
export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A started process. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<Exit>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** What the supervisor needs to know about a service. */
export interface Supervised {
  readonly name: string;
  readonly after: readonly string[];
  readonly stopRank: number;
}

/**
 * `waiting` for another service, `starting`, `ready`, `restarting` after its end (pause included),
 * `stopped` for good.
 */
export type ServiceState = 'waiting' | 'starting' | 'ready' | 'restarting' | 'stopped';

/** The world around the supervisor; tests bring their own. */
export interface SupervisorWorld<S extends Supervised> {
  launch(service: S): Child;
  /** Whether the service answers that it is ready. */
  probe(service: S, child: Child): Promise<boolean>;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Called at every change of a service's state. */
  changed(service: S, state: ServiceState, detail?: { exit?: Exit; pause?: number }): void;
}

/** A service did not come up at all. */
export class StartFailedError extends GatehouseError {
  override readonly code = 'start_failed';
  readonly service: string;

  constructor(service: string, reason: string) {
    super(`${service} ${reason}`);
    this.service = service;
  }
}

const PROBE_INTERVAL = 50;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
/** A service that was ready for this long starts with a short pause again. */
const STEADY = 30_000;
/** Ends before the first readiness that make the whole start fail. */
const START_ATTEMPTS = 3;
const START_DEADLINE = 60_000;
const STOP_GRACE = 10_000;

/** Milliseconds before the n-th start in a row (n from 1): doubling from 250 ms to 5 s. */
export function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
}

/**
 * Keeps a set of services running: starts them in the order of what they need, starts again what
 * ends, stops all in order.
 */
export class Supervisor<S extends Supervised> {
  readonly #services: readonly S[];
  readonly #world: SupervisorWorld<S>;
  readonly #children = new Map<string, Child>();
  readonly #states = new Map<string, ServiceState>();
  readonly #keepers: Promise<void>[] = [];
  readonly #firstReady = new Map<string, PromiseWithResolvers<undefined>>();
  readonly #stop = Promise.withResolvers<undefined>();
  #stopping = false;

  constructor(services: readonly S[], world: SupervisorWorld<S>) {
    this.#services = services;
    this.#world = world;
    for (const { name } of services) {
      const firstReady = Promise.withResolvers<undefined>();
      // A failed start without a waiting caller is not an unhandled rejection.
      firstReady.promise.catch(() => undefined);
      this.#firstReady.set(name, firstReady);
    }
  }

  /**
   * Resolves when every service has been ready.
   * @throws {StartFailedError} when one cannot be brought up; then stop() is still due
   */
  async start(): Promise<void> {
    for (const service of this.#services) this.#keepers.push(this.#keep(service));
    const deadline = this.#world.sleep(START_DEADLINE).then(() => {
      const late = this.#services.filter(({ name }) => this.stateOf(name) !== 'ready').map(({ name }) => name);
      if (late.length > 0)
        throw new StartFailedError(late.join(', '), `did not get ready in ${START_DEADLINE / 1000} s`);
    });
    const all = Promise.all([...this.#firstReady.values()].map(({ promise }) => promise));
    await Promise.race([all, deadline.then(() => all), this.#stop.promise]);
  }

  stateOf(name: string): ServiceState {
    return this.#states.get(name) ?? 'waiting';
  }

  /** Process ids of what runs now, by service. */
  pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([name, { pid }]) => [name, pid]));
  }

  /** Ends every service, rank by rank; what does not end in 10 s is killed. */
  async stop(): Promise<void> {
    if (!this.#stopping) {
      this.#stopping = true;
      this.#stop.resolve(undefined);
    }
    const ranks = [...new Set(this.#services.map(({ stopRank }) => stopRank))].sort((a, b) => a - b);
    for (const rank of ranks) {
      await Promise.all(this.#services.filter(({ stopRank }) => stopRank === rank).map(({ name }) => this.#end(name)));
    }
    await Promise.all(this.#keepers);
  }

  /** Ends everything at once. */
  kill(): void {
    this.#stopping = true;
    this.#stop.resolve(undefined);
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }

  async #end(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child) return;
    child.kill('SIGTERM');
    const patience = this.#world.sleep(STOP_GRACE).then(() => 'late');
    if ((await Promise.race([child.exited, patience])) === 'late') child.kill('SIGKILL');
    await child.exited;
  }

  async #keep(service: S): Promise<void> {
    const needs = service.after.flatMap((name) => this.#firstReady.get(name)?.promise ?? []);
    this.#change(service, 'waiting');
    await Promise.race([Promise.all(needs).catch(() => undefined), this.#stop.promise]);
    for (let attempt = 1; !this.#stopping; attempt++) {
      const { exit, readyFor } = await this.#runOnce(service);
      if (this.#isStopping()) break;
      if (readyFor >= STEADY) attempt = 1;
      this.#refuseHopelessStart(service, attempt, exit);
      const pause = pauseBefore(attempt);
      this.#change(service, 'restarting', { exit, pause });
      await Promise.race([this.#world.sleep(pause), this.#stop.promise]);
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
    return { exit, readyFor: since === undefined ? 0 : this.#world.now() - since };
  }

  /**
   * A service that cannot even be launched (no process, no file left) is one that ended at once.
   */
  #launch(service: S): Child {
    try {
      return this.#world.launch(service);
    } catch {
      return { pid: 0, exited: Promise.resolve({ code: 127, signal: null }), kill: () => undefined };
    }
  }

  /** @returns when the service got ready, undefined when it ended before */
  async #becomeReady(service: S, child: Child): Promise<number | undefined> {
    const lives = (): boolean => this.#children.get(service.name) === child;
    while (lives() && !this.#stopping) {
      if ((await this.#world.probe(service, child)) && lives()) {
        this.#change(service, 'ready');
        this.#firstReady.get(service.name)?.resolve(undefined);
        return this.#world.now();
      }
      await Promise.race([this.#world.sleep(PROBE_INTERVAL), child.exited]);
    }
    return undefined;
  }

  #isStopping(): boolean {
    return this.#stopping;
  }

  #refuseHopelessStart(service: S, attempt: number, exit: Exit): void {
    if (attempt < START_ATTEMPTS || exit.code === 0) return;
    const how = exit.signal ? `by ${exit.signal}` : `with code ${exit.code ?? 'unknown'}`;
    this.#firstReady
      .get(service.name)
      ?.reject(new StartFailedError(service.name, `ended ${START_ATTEMPTS} times ${how} before it was ready`));
  }

  #change(service: S, state: ServiceState, detail?: { exit?: Exit; pause?: number }): void {
    this.#states.set(service.name, state);
    this.#world.changed(service, state, detail);
  }
}
