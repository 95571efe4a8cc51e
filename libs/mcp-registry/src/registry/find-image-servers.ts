import type { ServerEntry } from '../document/server-entry.ts';
import { RegistryError, UnsupportedServerError } from '../registry-error.ts';
import { createRegistryServer } from '../servers/create-registry-server.ts';
import type { LocalServer } from '../servers/registry-server.ts';
import type { Registry } from './registry.ts';

/** The result of a search for the servers of an image. */
export type ImageLookup =
  | { readonly state: 'found'; readonly servers: readonly LocalServer[] }
  /** The registry cannot be read. @param reason a sentence */
  | { readonly state: 'unavailable'; readonly reason: string };

/**
 * Finds the servers that run an image of a repository, in any version. Entries that cannot be run
 * do not count.
 */
export async function findImageServers(registry: Registry, repository: string): Promise<ImageLookup> {
  try {
    const entries = await registry.findImages(repository);
    return { state: 'found', servers: entries.flatMap(createContainerServer) };
  } catch (error) {
    if (error instanceof RegistryError) return { state: 'unavailable', reason: error.message };
    throw error;
  }
}

function createContainerServer(entry: ServerEntry): LocalServer[] {
  try {
    const server = createRegistryServer(entry);
    return server.kind === 'container' ? [server] : [];
  } catch (error) {
    if (error instanceof UnsupportedServerError) return [];
    throw error;
  }
}
