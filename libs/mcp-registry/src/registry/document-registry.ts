import type { RegistryDocument } from '../document/registry-document.ts';
import type { ServerEntry } from '../document/server-entry.ts';
import { UnknownServerError, UnsupportedServerError } from '../registry-error.ts';
import { findImages } from './find-images.ts';
import { findServer } from './find-server.ts';
import type { Registry } from './registry.ts';
import { searchServers } from './search-servers.ts';

/**
 * A registry that is one document. It is read once, at the first question.
 * @param read throws a `RegistryError`
 */
export function createDocumentRegistry(location: string, read: () => Promise<RegistryDocument>): Registry {
  let document: Promise<RegistryDocument> | undefined;
  const open = () => (document ??= read());
  return {
    location,
    list: open,
    find: async (name) => findInDocument(await open(), name, location),
    findImages: async (repository) => findImages((await open()).servers, repository),
    search: async (query) => searchServers((await open()).servers, query),
  };
}

/** An entry that is left out keeps its name, so that no image of this name runs in its place. */
function findInDocument({ servers, problems }: RegistryDocument, name: string, location: string): ServerEntry {
  try {
    return findServer(servers, name, location);
  } catch (error) {
    const problem = problems.find(({ entry }) => entry === name || entry.endsWith(`/${name}`));
    if (!(error instanceof UnknownServerError) || problem === undefined) throw error;
    throw new UnsupportedServerError(problem.entry, problem.field, `is not valid (${problem.reason})`);
  }
}
