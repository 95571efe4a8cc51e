import { setTimeout as sleep } from 'node:timers/promises';
import type { Proxy } from '@gatehouse/proxy/options';
import { Backoff } from '@gatehouse/retry/backoff';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import type { Home } from '../state/home.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '../state/process-identity.ts';
import { parseMilliseconds } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { listPortCandidates } from '../state/stable-port.ts';
import type { StoredStatus, WorkloadStore } from '../state/store.ts';
import { watchLiveness } from '../server/liveness.ts';
import { describeEnd, type ServerEnd, type WorkloadServer } from '../runtime/workload-server.ts';

/** A message of a supervisor to the command that started it. */
export type SupervisorMessage =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'ready' }
  /** Another process already supervises the workload. */
  | { readonly kind: 'already-supervised' }
  | { readonly kind: 'failed'; readonly failure: Pick<WorkloadError, 'code' | 'message' | 'tryNext' | 'excerpt'> };

/** The collaborators of a supervisor. */
export interface SupervisorParts {
  readonly home: Home;
  readonly store: WorkloadStore;
  readonly config: RunConfig;
  /** The time of its creation, see WorkloadStore. Another command can create the name again. */
  readonly createdAt: string | undefined;
  readonly server: WorkloadServer;
  /** Creates the proxy for a port; it does not listen yet. */
  readonly makeProxy: (port: number) => Proxy;
  /** Called once the proxy listens and the port is known, before the server is started. */
  readonly useConfig: (config: RunConfig) => void;
  readonly sendMessage: (message: SupervisorMessage) => void;
  readonly log: (message: string) => void;
  /** Ends together with the server instead of restarting it. */
  readonly foreground: boolean;
  /** Whether the server has never answered. */
  readonly firstStart: boolean;
  /** Aborted at SIGTERM; the supervisor then stops everything. */
  readonly abort: AbortSignal;
}

/** Limits of restarts. A run of at least `GOOD_RUN_MS` resets the count and the pause. */
const BACKOFF = { firstMs: 5_000, longestMs: 60_000, jitter: 0 };
const MAX_RESTARTS = 10;
/** Pause between attempts while the container engine does not answer. */
const ENGINE_PAUSE_MS = 10_000;
const GOOD_RUN_MS = 30_000;
/** Seconds in which a container may end by itself before the engine kills it. */
const GRACE_SECONDS = 10;

/** Computes the pauses between the restarts of one server. Pure: it reads no clock. */
export class RestartBackoff {
  readonly #backoff = new Backoff(BACKOFF);

  /**
   * Returns the pause before the next restart in milliseconds; undefined after too many restarts.
   * @param ranMs how long the server ran before it ended
   */
  next(ranMs: number): number | undefined {
    if (ranMs >= GOOD_RUN_MS) this.#backoff.reset();
    return this.#backoff.count >= MAX_RESTARTS ? undefined : this.#backoff.next();
  }
}

/** Another process took the port of the workload first and supervises it. */
class AlreadySupervisedError extends WorkloadError {
  constructor(name: string) {
    super('conflict', `${name} is being started by another command`);
  }
}

/** Another program removed the container; the supervisor does not create a new one. */
class ContainerRemovedError extends WorkloadError {
  constructor(name: string) {
    super('failed', `its container was removed by another program; gatehouse start ${name} creates it again`);
  }
}

/** Another process removed the state of the workload and did not find this process. */
class WorkloadRemovedError extends WorkloadError {
  constructor(name: string) {
    super('failed', `${name} was removed`);
  }
}

/** Whether the workload was removed, or another process supervises it. */
function isOrphan({ store, config: { name }, createdAt }: SupervisorParts, me: ProcessIdentity | undefined): boolean {
  const other = store.readStatus(name)?.process;
  return !store.isCreatedAt(name, createdAt) || (other !== undefined && other.pid !== me?.pid && isAlive(other));
}

/**
 * Whether another process supervises the workload. It writes this a moment after it took the port.
 */
async function isSupervisedByOther(store: WorkloadStore, name: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const other = store.readStatus(name)?.process;
    if (other && other.pid !== process.ppid && other.pid !== process.pid && isAlive(other)) return true;
    await sleep(50);
  }
  return false;
}

/**
 * Listens on the requested port, or on the first candidate that is free. The process that holds the
 * port is the only supervisor of the workload.
 */
async function listen(parts: SupervisorParts): Promise<{ proxy: Proxy; config: RunConfig }> {
  const { store, home, config } = parts;
  const fixed = config.port_requested || config.port !== 0;
  const taken = store.listPortsOfOthers(config.name);
  const candidates = fixed
    ? [config.port]
    : listPortCandidates(home.id, config.name, store.findRememberedPort(config.name), new Set(taken.keys()));
  for (const port of candidates) {
    const proxy = parts.makeProxy(port);
    try {
      await proxy.listen();
      const chosen = { ...config, port };
      if (!store.isCreatedAt(config.name, parts.createdAt)) throw new WorkloadRemovedError(config.name);
      store.writeConfigOfStart(chosen);
      store.rememberPort(config.name, port);
      return { proxy, config: chosen };
    } catch (error) {
      await proxy.close(0);
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EADDRNOTAVAIL') {
        throw new WorkloadError('usage', `--host ${config.host} is not an address of this machine`, [], error);
      }
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
  }
  if (await isSupervisedByOther(store, config.name)) throw new AlreadySupervisedError(config.name);
  throw new WorkloadError('conflict', `Port ${config.port} on ${config.host} is taken by another program`, [
    `ss -ltnp 'sport = :${config.port}'   shows the program`,
    '--proxy-port PORT   asks for another port',
  ]);
}

/**
 * Runs one workload until it is asked to stop: the proxy and the server behind it. Restarts the
 * server when it ends. Writes every change to the status of the workload.
 * @returns the exit code of the process.
 */
export function supervise(parts: SupervisorParts): Promise<number> {
  return new Supervision(parts).run();
}

/** The end of one run of the server. `ranMs` counts from the moment when the server was ready. */
type RunOutcome =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'ended'; readonly end: ServerEnd }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly ranMs: number;
      /** The container engine does not answer. Such an attempt is not counted. */
      readonly isEngineLost: boolean;
    };

class Supervision {
  readonly #parts: SupervisorParts;
  readonly #me = identifyProcess(process.pid);
  readonly #backoff = new RestartBackoff();
  #proxy: Proxy | undefined;
  #wasReady = false;
  #startedAt: Date | undefined;
  #restarts = 0;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  async run(): Promise<number> {
    try {
      const { proxy, config } = await listen(this.#parts);
      this.#proxy = proxy;
      this.#parts.useConfig(config);
      this.#writeStatus('starting');
      const end = await this.#keepRunning(parseMilliseconds(config.start_timeout, 60_000));
      if (end === undefined) this.#writeStatus('stopping');
      await this.#shutDown();
      if (end === undefined || (end.kind === 'exited' && end.code === 0)) {
        this.#leave('stopped');
        return 0;
      }
      this.#leave('error', describeEnd(end));
      return 1;
    } catch (error) {
      return await this.#fail(error);
    }
  }

  /** Restarts the server until it must stop. @returns how it ended, when nothing restarts it. */
  async #keepRunning(startTimeoutMs: number): Promise<ServerEnd | undefined> {
    const { abort } = this.#parts;
    for (;;) {
      const outcome = await this.#runServer(startTimeoutMs);
      if (outcome.kind === 'aborted') return undefined;
      if (outcome.kind === 'ended') return outcome.end;
      const { reason, ranMs, isEngineLost } = outcome;
      const pause = isEngineLost ? ENGINE_PAUSE_MS : this.#backoff.next(ranMs);
      if (pause === undefined) {
        throw new WorkloadError('failed', `container restart failed after ${MAX_RESTARTS} attempts: ${reason}`);
      }
      this.#writeStatus('starting', `${reason}; restarting in ${pause / 1000} s`);
      await sleep(pause, undefined, { signal: abort }).catch(() => undefined);
      if (abort.aborted) return undefined;
      await this.#requireWorkload();
      this.#restarts += 1;
    }
  }

  async #runServer(startTimeoutMs: number): Promise<RunOutcome> {
    const { config, server, sendMessage: tell, abort, foreground } = this.#parts;
    let began = performance.now();
    try {
      await server.start(startTimeoutMs, (text) => tell({ kind: 'progress', text }), abort);
      began = performance.now();
      this.#wasReady = true;
      this.#startedAt = new Date();
      this.#writeStatus('running');
      tell({ kind: 'ready' });
      const end = await this.#watch(Promise.race([server.waitForEnd(), waitForAbort(abort)]));
      if (end === undefined) return { kind: 'aborted' };
      if (foreground) return { kind: 'ended', end };
      if (end.kind === 'removed') throw new ContainerRemovedError(config.name);
      return { kind: 'failed', reason: describeEnd(end), ranMs: performance.now() - began, isEngineLost: false };
    } catch (error) {
      if (abort.aborted || !this.#wasReady || error instanceof ContainerRemovedError) throw error;
      const isEngineLost = error instanceof WorkloadError && error.code === 'no-engine';
      return { kind: 'failed', reason: getErrorMessage(error), ranMs: performance.now() - began, isEngineLost };
    }
  }

  /** Stores whether the server answers, until its end. */
  async #watch<T>(end: Promise<T>): Promise<T> {
    const { server, abort } = this.#parts;
    const done = new AbortController();
    const report = (reason: string | undefined) => this.#writeStatus('running', reason);
    void watchLiveness(server.connection, report, AbortSignal.any([abort, done.signal]));
    try {
      return await end;
    } finally {
      done.abort();
    }
  }

  /** @throws when the container or the workload was removed during the pause before a restart. */
  async #requireWorkload(): Promise<void> {
    const { config, server } = this.#parts;
    // The container of a workload that is being removed ends first and disappears later. An engine
    // that does not answer cannot tell; then the restart goes on.
    if (await server.wasRemoved().catch(() => false)) throw new ContainerRemovedError(config.name);
    if (isOrphan(this.#parts, this.#me)) throw new WorkloadRemovedError(config.name);
  }

  /** Reports a failure to the status and to the command that started this process. */
  async #fail(error: unknown): Promise<number> {
    const { sendMessage: tell, abort } = this.#parts;
    if (this.#proxy) await this.#shutDown();
    if (abort.aborted) {
      this.#leave('stopped');
      return 0;
    }
    const failure =
      error instanceof WorkloadError ? error : new WorkloadError('failed', getErrorMessage(error), [], error);
    if (failure instanceof AlreadySupervisedError) {
      tell({ kind: 'already-supervised' });
      return 0;
    }
    this.#leave('error', failure.message);
    const { code, message, tryNext, excerpt } = failure;
    tell({ kind: 'failed', failure: { code, message, tryNext, excerpt } });
    return 1;
  }

  /** Writes the status with this process as the supervisor. */
  #writeStatus(status: StoredStatus['status'], context?: string): void {
    this.#write(status, context, this.#me);
  }

  /**
   * Writes the last status; the workload has no supervisor afterwards. A stop that no command
   * requested is a shutdown of the machine or of the session.
   */
  #leave(status: 'stopped' | 'error', context?: string): void {
    const hasRun = this.#wasReady || !this.#parts.firstStart;
    const isShutDown = status === 'stopped' && hasRun && !this.#isStopRequested();
    this.#write(status, context, isShutDown ? this.#me : undefined, isShutDown);
  }

  /** Whether a command stops this supervisor. */
  #isStopRequested(): boolean {
    const stored = this.#parts.store.readStatus(this.#parts.config.name);
    return stored?.stop_requested === true && stored.process?.pid === this.#me?.pid;
  }

  #write(
    status: StoredStatus['status'],
    context: string | undefined,
    process: ProcessIdentity | undefined,
    isShutDown = false,
  ): void {
    const { config, store, createdAt, log } = this.#parts;
    log(context === undefined ? status : `${status}: ${context}`);
    if (!store.isCreatedAt(config.name, createdAt)) return;
    const isFirst = this.#parts.firstStart && !this.#wasReady;
    store.writeStatus(
      config.name,
      {
        status,
        ...(context !== undefined && { context }),
        ...(process && { process }),
        ...(isFirst && { first_start: true }),
        ...(this.#isStopRequested() && { stop_requested: true }),
        ...(isShutDown && { shut_down: true }),
        ...(this.#startedAt && { started_at: this.#startedAt.toISOString() }),
        restarts: this.#restarts,
      },
      new Date(),
    );
  }

  async #shutDown(): Promise<void> {
    const { server, log } = this.#parts;
    const results = await Promise.allSettled([this.#proxy?.close(1_000), server.stop(GRACE_SECONDS)]);
    for (const result of results)
      if (result.status === 'rejected') log(`shutting down failed: ${getErrorMessage(result.reason)}`);
  }
}

function waitForAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
