import { labelFilters } from './container-shape.ts';
import { listContainers, removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { messageOf, WorkloadFailure } from './failure.ts';
import type { Home } from './home.ts';
import type { RunConfig } from './run-config.ts';
import { removeNetworks } from './workload-networks.ts';

/**
 * How a server's life ended: by its exit code, because somebody removed its container, or unseen,
 * because the engine went away.
 */
export type ServerEnd =
  { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'removed' } | { readonly kind: 'lost' };

/** A {@link ServerEnd} in words. */
export function describeEnd(end: ServerEnd): string {
  if (end.kind === 'removed') return 'its container was removed';
  if (end.kind === 'lost') return 'the container engine lost the server';
  return `the server ended with exit code ${end.code}`;
}

/** The server of a workload, whatever it is spoken to over. One start and one end at a time. */
export interface WorkloadServer {
  /**
   * Brings the server up and waits until it answers.
   * @throws WorkloadFailure with what the server last wrote; nothing of the attempt is left then.
   */
  start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void>;
  /** Resolves when the server that was started has ended. */
  ended(): Promise<ServerEnd>;
  /**
   * Whether somebody removed the server's container after it had ended: then it is not to be
   * started again.
   */
  wasRemoved(): Promise<boolean>;
  /** Stops the server; its containers end within the grace time. */
  stop(graceSeconds: number): Promise<void>;
}

/** What every server needs to know. */
export interface ServerContext {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
  readonly log: (message: string) => void;
}

/** How many of the server's last lines a failure shows. */
export const EXCERPT_LINES = 10;

/** Removes every container and every network of a workload. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, labelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeNetworks(engine, home, name);
}

/**
 * The flag whose limit the engine's kernel or user may not set, as its refusal says; undefined when
 * it is about something else.
 */
function unsupportedLimit(message: string): string | undefined {
  if (!/cgroup|controller|limit/i.test(message)) return undefined;
  if (/\bpids?\b/i.test(message)) return '--pids-limit';
  if (/\bmemory\b|memory\.max/i.test(message)) return '--memory';
  return /\bcpu\b|\bCPU|cpu\.max/.test(message) ? '--cpus' : undefined;
}

/** Says why a container could not be made or started, in terms of what was asked for. */
export function explain(error: unknown, config: RunConfig, excerpt: readonly string[] = []): WorkloadFailure {
  if (error instanceof WorkloadFailure) {
    return error.excerpt.length > 0 || excerpt.length === 0
      ? error
      : new WorkloadFailure(error.code, error.message, error.tryNext, error.cause, excerpt);
  }
  const message = messageOf(error);
  if (/port is already allocated|address already in use/.test(message)) {
    return new WorkloadFailure('conflict', `A published port of ${config.name} is taken: ${message}`, [], error);
  }
  const lifted = unsupportedLimit(message);
  if (lifted !== undefined) {
    return new WorkloadFailure(
      'failed',
      `The container engine cannot limit ${config.name}: ${message}`,
      [`${lifted} none   runs the server without this limit`],
      error,
    );
  }
  if (/container name .* is already in use/.test(message)) {
    return new WorkloadFailure(
      'conflict',
      `A container named '${config.container_name}' exists that gatehouse did not make`,
      ['--name NAME   gives this workload another name'],
      error,
    );
  }
  return new WorkloadFailure(
    'failed',
    `${config.name} did not start: ${message}`,
    [`gatehouse run --debug … shows more`],
    error,
    excerpt,
  );
}
