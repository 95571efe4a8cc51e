import type { RegistryDocument } from '../document/registry-document.ts';
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
    find: async (name) => findServer((await open()).servers, name, location),
    search: async (query) => searchServers((await open()).servers, query),
  };
}
