import { isServerName } from '@gatehouse/mcp-registry/registry/find-server';
import type { Registry } from '@gatehouse/mcp-registry/registry/registry';
import type { LocalServer, RemoteServer } from '@gatehouse/mcp-registry/servers/registry-server';
import { isImageReference, splitImageReference } from '../flags/image-reference.ts';

/** The registry of a command. */
export interface RegistryAccess {
  /**
   * Opens the registry, for a text that can be a name in it or is an image.
   * @param timeoutMs for all requests of one question; default: that of the registry
   */
  readonly open: (timeoutMs?: number) => Promise<Registry>;
  /** Receives a sentence about a registry that cannot be read. */
  readonly note: (sentence: string) => void;
}

/** The time for a registry that only describes an image. The image runs without it too. */
const IMAGE_TIMEOUT_MS = 3_000;

/** The first stage of a source: what runs, and the entry of the registry that names it. */
export interface ResolvedSource {
  /** An image, a package or a URL, in the form that a command line has. */
  readonly source: string;
  /** Undefined for a source that was typed as it is. */
  readonly server: LocalServer | undefined;
  /** The entry of a remote server that names the source. */
  readonly remoteServer?: RemoteServer | undefined;
  /** The entry with the repository of a typed image, which says how the server is reached. */
  readonly imageServer?: LocalServer | undefined;
}

/**
 * Resolves the argument of `run`. A name of the registry is replaced by the image, the package or
 * the URL of its entry; every other text stays.
 * @throws RegistryError for a name of several servers, and for an entry that cannot run here
 */
export async function resolveSource(typed: string, { open, note }: RegistryAccess): Promise<ResolvedSource> {
  if (!isServerName(typed)) return findImageServer(typed, { open, note });
  const { lookUpServer } = await import('@gatehouse/mcp-registry/registry/look-up-server');
  const lookup = await lookUpServer(await open(), typed);
  if (lookup.state === 'absent') return findImageServer(typed, { open, note });
  if (lookup.state === 'unavailable') note(`${lookup.reason}; '${typed}' is taken as the name of an image`);
  if (lookup.state !== 'found') return { source: typed, server: undefined };
  const { createRegistryServer } = await import('@gatehouse/mcp-registry/servers/create-registry-server');
  const server = createRegistryServer(lookup.entry);
  if (server.kind === 'remote') return { source: server.url, server: undefined, remoteServer: server };
  return { source: server.source, server };
}

/**
 * Finds the entry with the repository of an image. Entries that reach their servers differently
 * count as none.
 */
async function findImageServer(image: string, { open, note }: RegistryAccess): Promise<ResolvedSource> {
  const typed = { source: image, server: undefined };
  if (!isImageReference(image)) return typed;
  const { findImageServers } = await import('@gatehouse/mcp-registry/registry/find-image-servers');
  const found = await findImageServers(await open(IMAGE_TIMEOUT_MS), splitImageReference(image).name);
  if (found.state === 'unavailable') note(`${found.reason}; ${image} runs without its entry`);
  const servers = found.state === 'found' ? found.servers : [];
  const ways = new Set(
    servers.map(({ transport, targetPort, stateless }) => `${transport} ${targetPort} ${stateless}`),
  );
  return ways.size === 1 ? { ...typed, imageServer: servers[0] } : typed;
}
