import { setTimeout as sleep } from 'node:timers/promises';
import { labelFilters } from './container-shape.ts';
import { ensureNetwork, listContainers, removeContainer, removeUnusedNetworks } from './containers.ts';
import { EngineRefusal, type Engine } from './engine.ts';
import { messageOf, WorkloadFailure } from './failure.ts';
import { networkNameOf, type Home } from './home.ts';
import type { RunConfig } from './run-config.ts';

/** How a server's life ended: by its exit code, because somebody removed its container, or unseen, because the engine went away. */
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
  /** Whether somebody removed the server's container after it had ended: then it is not to be started again. */
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

/** Removes every container of a workload, and the home's network when nobody else is on it. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, labelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeUnusedNetworks(engine, labelFilters(home));
}

/** How often, and after what pause, work is done again that another command's making or removing of the network has disturbed. */
const NETWORK_ATTEMPTS = 10;
const NETWORK_PAUSE_MS = 100;

/** Whether an error comes from the network having been removed, or being there twice for a moment. */
function isNetworkRace(error: unknown, id: string, name: string): boolean {
  if (!(error instanceof EngineRefusal)) return false;
  return (
    (error.status === 404 && [id, name].some((text) => error.message.includes(text))) ||
    / is ambiguous /.test(error.message)
  );
}

/** Does the work on the workload's network: the one it asked for, else the home's bridge, which is made when it is missing. */
export async function onNetwork<T>(
  { engine, home, config }: Pick<ServerContext, 'engine' | 'home' | 'config'>,
  work: (network: string) => Promise<T>,
): Promise<T> {
  const mode = config.permission_profile.network.mode;
  if (mode !== '') return work(mode);
  const name = networkNameOf(home);
  for (let attempt = 1; ; attempt += 1) {
    const id = await ensureNetwork(engine, name, { gatehouse: 'true', 'gatehouse-home': home.id });
    try {
      return await work(id);
    } catch (error) {
      if (attempt === NETWORK_ATTEMPTS || !isNetworkRace(error, id, name)) throw error;
      await sleep(NETWORK_PAUSE_MS);
    }
  }
}

/** Says why a container could not be made or started, in terms of what was asked for. */
export function explain(error: unknown, config: RunConfig, excerpt: readonly string[] = []): WorkloadFailure {
  if (error instanceof WorkloadFailure) return error;
  const message = messageOf(error);
  if (/port is already allocated|address already in use/.test(message)) {
    return new WorkloadFailure('conflict', `A published port of ${config.name} is taken: ${message}`, [], error);
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
