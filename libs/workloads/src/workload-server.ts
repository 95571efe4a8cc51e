import { createLabelFilters } from './container-spec.ts';
import { listContainers, removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { getErrorMessage, WorkloadError } from './workload-error.ts';
import type { Home } from './home.ts';
import type { RunConfig } from './run-config.ts';
import { removeNetworks } from './workload-networks.ts';

/** The end of a server: its exit code, the removal of its container, or the loss of the engine. */
export type ServerEnd =
  { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'removed' } | { readonly kind: 'lost' };

/** Describes a {@link ServerEnd} in one phrase. */
export function describeEnd(end: ServerEnd): string {
  if (end.kind === 'removed') return 'its container was removed';
  if (end.kind === 'lost') return 'the container engine lost the server';
  return `the server ended with exit code ${end.code}`;
}

/** The server of a workload, of any transport. It is started once before each end. */
export interface WorkloadServer {
  /**
   * Starts the server and waits until it answers.
   * @throws WorkloadError with the last output of the server, after the removal of its containers.
   */
  start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void>;
  /** Resolves when the started server has ended. */
  waitForEnd(): Promise<ServerEnd>;
  /** Whether another program removed the ended container. Such a server is not started again. */
  wasRemoved(): Promise<boolean>;
  /** Stops the server; its containers end within the grace time. */
  stop(graceSeconds: number): Promise<void>;
}

/** The context of every server. */
export interface ServerContext {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
  readonly log: (message: string) => void;
}

/** Number of output lines that an error contains. */
export const EXCERPT_LINES = 10;

/** Removes every container and every network of a workload. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, createLabelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeNetworks(engine, home, name);
}

/** Returns the flag of the limit that the engine cannot set; undefined for other errors. */
function findUnsupportedLimit(message: string): string | undefined {
  if (!/cgroup|controller|limit/i.test(message)) return undefined;
  if (/\bpids?\b/i.test(message)) return '--pids-limit';
  if (/\bmemory\b|memory\.max/i.test(message)) return '--memory';
  return /\bcpu\b|\bCPU|cpu\.max/.test(message) ? '--cpus' : undefined;
}

/** Converts an error of the engine to one that names flags and next steps. */
export function toStartError(error: unknown, config: RunConfig, excerpt: readonly string[] = []): WorkloadError {
  if (error instanceof WorkloadError) {
    return error.excerpt.length > 0 || excerpt.length === 0
      ? error
      : new WorkloadError(error.code, error.message, error.tryNext, error.cause, excerpt);
  }
  const message = getErrorMessage(error);
  if (/port is already allocated|address already in use/.test(message)) {
    return new WorkloadError('conflict', `A published port of ${config.name} is taken: ${message}`, [], error);
  }
  const flag = findUnsupportedLimit(message);
  if (flag !== undefined) {
    return new WorkloadError(
      'failed',
      `The container engine cannot limit ${config.name}: ${message}`,
      [`${flag} none   runs the server without this limit`],
      error,
    );
  }
  if (/container name .* is already in use/.test(message)) {
    return new WorkloadError(
      'conflict',
      `A container named '${config.container_name}' exists already and gatehouse did not create it`,
      ['--name NAME   gives this workload another name'],
      error,
    );
  }
  return new WorkloadError(
    'failed',
    `${config.name} did not start: ${message}`,
    [`gatehouse run --debug … shows more`],
    error,
    excerpt,
  );
}
