import { detectSource } from '@gatehouse/mcp-registry/sources/detect-source';
import { DocumentCache } from '@gatehouse/mcp-registry/sources/document-cache';
import { openRegistry } from '@gatehouse/mcp-registry/sources/open-registry';
import type { RegistrySource } from '@gatehouse/mcp-registry/sources/registry-source';
import type { RegistryListing } from '@gatehouse/mcp-registry/registry/registry';
import { CommandFailedError } from '../../errors/cli-error.ts';
import { changeSection } from '../settings-file.ts';
import { REGISTRY_SECTION } from '../settings/registry-source.ts';
import { askRegistry, getCacheFolder, readBundle } from './selected-registry.ts';

/** The input of `registry set`. */
export interface SetRegistryRequest {
  readonly home: string;
  /** A path, or the URL of a document or of an API. */
  readonly text: string;
  /** Folder of a relative path. */
  readonly folder: string;
  readonly allowPrivateIp: boolean;
  readonly note: (sentence: string) => void;
}

/**
 * Reads a registry in full and stores its place in the settings.
 * @throws CliError `failed` for a registry that cannot be read or has no server; nothing changes
 */
export async function setRegistry(
  request: SetRegistryRequest,
): Promise<{ source: RegistrySource; listing: RegistryListing }> {
  const { home, text, folder, allowPrivateIp, note } = request;
  const cacheFolder = getCacheFolder(home);
  const now = () => new Date();
  return askRegistry(async () => {
    const certificates = await readBundle(home);
    const shared = { note, now, ignoreStored: true, certificates };
    const access = { allowPrivateIp, cache: new DocumentCache(cacheFolder), ...shared };
    const source = await detectSource(text, folder, access);
    const registry = await openRegistry(source, { cacheFolder, ...shared });
    const listing = await registry.list();
    if (listing.servers.length === 0)
      throw new CommandFailedError(`${registry.location} has no server that can be used; nothing was changed`);
    await changeSection(home, REGISTRY_SECTION, () => source);
    return { source, listing };
  });
}

/** Returns to the embedded registry. */
export const resetRegistry = (home: string): Promise<void> => changeSection(home, REGISTRY_SECTION, () => undefined);
