import { setTimeout as sleep } from 'node:timers/promises';
import type { Proxy } from '@gatehouse/proxy/options';
import { messageOf, WorkloadFailure } from './failure.ts';
import type { Home } from './home.ts';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { millisecondsOf, type RunConfig } from './run-config.ts';
import { portCandidates } from './stable-port.ts';
import type { StoredStatus, WorkloadStore } from './store.ts';
import { describeEnd, type ServerEnd, type WorkloadServer } from './workload-server.ts';

/** What a supervisor tells the command that started it. */
export type SupervisorMessage =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'ready' }
  /** Another process is in charge already; this one leaves without a trace. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly failure: Pick<WorkloadFailure, 'code' | 'message' | 'tryNext' | 'excerpt'> };

/** Everything a supervisor works with. */
export interface SupervisorParts {
  readonly home: Home;
  readonly store: WorkloadStore;
  readonly config: RunConfig;
  readonly server: WorkloadServer;
  /** Makes the proxy for a port; it does not listen yet. */
  readonly makeProxy: (port: number) => Proxy;
  /** Called once the proxy listens and the port is known, before the server is started. */
  readonly useConfig: (config: RunConfig) => void;
  readonly tell: (message: SupervisorMessage) => void;
  readonly log: (message: string) => void;
  /** Ends when the server ends, instead of restarting it. */
  readonly foreground: boolean;
  /** Aborted by SIGTERM: stop everything. */
  readonly abort: AbortSignal;
}

/**
 * Restarts: first pause, longest pause, how many in a row, and how long a run must last to start
 * counting anew.
 */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_RESTARTS = 10;
const GOOD_RUN_MS = 30_000;
/** What a container gets to end by itself before it is killed, in seconds. */
const GRACE_SECONDS = 10;

/**
 * How the restarts of one server go on: a pure rule, so that the numbers can be read and tested.
 */
export class RestartBackoff {
  #restarts = 0;
  #pause = FIRST_PAUSE_MS;

  /**
   * The pause before the next restart, in milliseconds; undefined when there have been too many.
   * @param ranMs how long the server ran before it ended
   */
  next(ranMs: number): number | undefined {
    if (ranMs >= GOOD_RUN_MS) {
      this.#restarts = 0;
      this.#pause = FIRST_PAUSE_MS;
    }
    if (this.#restarts >= MOST_RESTARTS) return undefined;
    this.#restarts += 1;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    return pause;
  }
}

/**
 * Another process was quicker to take the workload's port: it is in charge, and this one leaves
 * without a trace.
 */
class AlreadySupervised extends WorkloadFailure {
  constructor(name: string) {
    super('conflict', `${name} is being started by another command`);
  }
}

/** Somebody took the container away: that is not answered with a new one. */
class RemovedByOthers extends WorkloadFailure {
  constructor(name: string) {
    super('failed', `its container was removed by somebody else; gatehouse start ${name} makes it anew`);
  }
}

/**
 * The workload is not there any more: its state was removed by somebody who could not find this
 * process.
 */
class Abandoned extends WorkloadFailure {
  constructor(name: string) {
    super('failed', `${name} was removed`);
  }
}

/** Whether the workload is gone, or another process has it. */
function isOrphan(store: WorkloadStore, name: string, me: ProcessIdentity | undefined): boolean {
  const workload = store.read(name);
  const other = workload?.status?.process;
  return !workload || (other !== undefined && other.pid !== me?.pid && isAlive(other));
}

/** Whether somebody else is in charge; who just took the port needs a moment to say so. */
async function supervisedByAnother(store: WorkloadStore, name: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const other = store.read(name)?.status?.process;
    if (other && other.pid !== process.ppid && other.pid !== process.pid && isAlive(other)) return true;
    await sleep(50);
  }
  return false;
}

/**
 * Listens on the workload's port: the requested one, or the first of its candidates that is free.
 * Holding the port is also what makes this process the workload's only supervisor.
 */
async function listen(parts: SupervisorParts): Promise<{ proxy: Proxy; config: RunConfig }> {
  const { store, home, config } = parts;
  const fixed = config.port_requested || config.port !== 0;
  const taken = store.portsOfOthers(config.name);
  const candidates = fixed
    ? [config.port]
    : portCandidates(home.id, config.name, store.rememberedPort(config.name), new Set(taken.keys()));
  for (const port of candidates) {
    const proxy = parts.makeProxy(port);
    try {
      await proxy.listen();
      const known = { ...config, port };
      store.writeConfig(known);
      store.rememberPort(config.name, port);
      return { proxy, config: known };
    } catch (error) {
      await proxy.close(0);
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EADDRNOTAVAIL') {
        throw new WorkloadFailure('usage', `--host ${config.host} is not an address of this machine`, [], error);
      }
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
  }
  if (await supervisedByAnother(store, config.name)) throw new AlreadySupervised(config.name);
  throw new WorkloadFailure('conflict', `Port ${config.port} on ${config.host} is taken by another program`, [
    `ss -ltnp 'sport = :${config.port}'   shows which`,
    '--proxy-port PORT   asks for another port',
  ]);
}

/**
 * Runs one workload until it is told to stop: the proxy, and the server behind it, which is
 * restarted when it ends. Every change is written to the workload's status, so that whoever looks
 * sees the truth.
 * @returns the process's exit code.
 */
export async function supervise(parts: SupervisorParts): Promise<number> {
  const { store, log, tell, server } = parts;
  const me = identify(process.pid);
  const write = (status: StoredStatus['status'], context?: string) => {
    log(context === undefined ? status : `${status}: ${context}`);
    store.writeStatus(
      parts.config.name,
      { status, ...(context !== undefined && { context }), ...(me && { process: me }) },
      new Date(),
    );
  };
  const leave = (status: 'stopped' | 'error', context?: string) => {
    log(context === undefined ? status : `${status}: ${context}`);
    store.writeStatus(parts.config.name, { status, ...(context !== undefined && { context }) }, new Date());
  };
  let proxy: Proxy | undefined;
  let everReady = false;
  try {
    const listening = await listen(parts);
    proxy = listening.proxy;
    parts.useConfig(listening.config);
    write('starting');
    const backoff = new RestartBackoff();
    const timeout = millisecondsOf(listening.config.start_timeout, 60_000);
    for (;;) {
      let began = performance.now();
      let why: string;
      try {
        await server.start(timeout, (text) => tell({ kind: 'progress', text }), parts.abort);
        began = performance.now();
        write('running');
        everReady = true;
        tell({ kind: 'ready' });
        const end = await Promise.race([server.ended(), aborted(parts.abort)]);
        if (end === undefined) break;
        if (parts.foreground) return await endOfForeground(parts, proxy, end, leave);
        if (end.kind === 'removed') throw new RemovedByOthers(parts.config.name);
        why = describeEnd(end);
      } catch (error) {
        if (parts.abort.aborted || !everReady || error instanceof RemovedByOthers) throw error;
        why = messageOf(error);
      }
      const pause = backoff.next(performance.now() - began);
      if (pause === undefined) {
        throw new WorkloadFailure('failed', `container restart failed after ${MOST_RESTARTS} attempts: ${why}`);
      }
      write('starting', `${why}; restarting in ${pause / 1000} s`);
      await sleep(pause, undefined, { signal: parts.abort }).catch(() => undefined);
      if (parts.abort.aborted) break;
      // The removal of a container begins with its end: seen now, when it is over. An engine that
      // is away cannot say.
      if (await server.wasRemoved().catch(() => false)) throw new RemovedByOthers(parts.config.name);
      if (isOrphan(store, parts.config.name, me)) throw new Abandoned(parts.config.name);
    }
    write('stopping');
    await shutDown(parts, proxy);
    leave('stopped');
    return 0;
  } catch (error) {
    if (proxy) await shutDown(parts, proxy);
    if (parts.abort.aborted) {
      leave('stopped');
      return 0;
    }
    const failure =
      error instanceof WorkloadFailure ? error : new WorkloadFailure('failed', messageOf(error), [], error);
    if (failure instanceof AlreadySupervised) {
      tell({ kind: 'elsewhere' });
      return 0;
    }
    leave('error', failure.message);
    const { code, message, tryNext, excerpt } = failure;
    tell({ kind: 'failed', failure: { code, message, tryNext, excerpt } });
    return 1;
  }
}

async function shutDown({ server, log }: SupervisorParts, proxy: Proxy): Promise<void> {
  const ended = await Promise.allSettled([proxy.close(1_000), server.stop(GRACE_SECONDS)]);
  for (const one of ended) if (one.status === 'rejected') log(`shutting down: ${messageOf(one.reason)}`);
}

async function endOfForeground(
  parts: SupervisorParts,
  proxy: Proxy,
  end: ServerEnd,
  leave: (status: 'stopped' | 'error', context?: string) => void,
): Promise<number> {
  await shutDown(parts, proxy);
  if (end.kind === 'exited' && end.code === 0) {
    leave('stopped');
    return 0;
  }
  leave('error', describeEnd(end));
  return 1;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
