import type { ServerEntry } from '../document/server-entry.ts';
import { RegistryDocumentError, RegistryUnavailableError, UnknownServerError } from '../registry-error.ts';
import { isServerName } from './find-server.ts';
import type { Registry } from './registry.ts';

/** The result of a lookup before a run. */
export type ServerLookup =
  | { readonly state: 'found'; readonly entry: ServerEntry }
  | { readonly state: 'absent' }
  /** The registry cannot be read. The text may still be an image. @param reason a sentence */
  | { readonly state: 'unavailable'; readonly reason: string };

/**
 * Looks up the text that a user typed as a server. A registry that cannot be read does not fail the
 * lookup, so that images still run. A text that cannot be a name is not looked up at all.
 * @throws AmbiguousServerError
 */
export async function lookUpServer(registry: Registry, typed: string): Promise<ServerLookup> {
  if (!isServerName(typed)) return { state: 'absent' };
  try {
    return { state: 'found', entry: await registry.find(typed) };
  } catch (error) {
    if (error instanceof UnknownServerError) return { state: 'absent' };
    if (error instanceof RegistryUnavailableError || error instanceof RegistryDocumentError)
      return { state: 'unavailable', reason: error.message };
    throw error;
  }
}
