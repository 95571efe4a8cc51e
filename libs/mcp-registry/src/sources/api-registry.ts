import { readEntries } from '../document/entry-list.ts';
import type { ServerEntry } from '../document/server-entry.ts';
import { createUnknownError, findServer } from '../registry/find-server.ts';
import type { Registry, RegistryListing } from '../registry/registry.ts';
import { searchServers } from '../registry/search-servers.ts';
import { RegistryDocumentError, UnsupportedServerError } from '../registry-error.ts';
import { type ApiPage, readApiPage, readApiServer } from './api-answer.ts';
import { type GetDocument, type RegistryAccess, withRegistryClient } from './registry-client.ts';

/** Limits of a list: its pages, and the bytes of all pages. */
const [MAX_PAGES, MAX_BYTES, PAGE_SIZE] = [300, 64 * 1024 * 1024, 100];

/** A registry with the API of the official one (version v0.1). */
export function createApiRegistry(access: RegistryAccess): Registry {
  const { url: location } = access;
  const list = (search: string | undefined): Promise<RegistryListing> =>
    withRegistryClient(access, async (get) => ({
      ...readEntries(await readAllPages(access, get, search), 'servers'),
      ...{ version: undefined, lastUpdated: undefined, groups: [] },
    }));
  return {
    location,
    list: () => list(undefined),
    find: async (name) =>
      name.includes('/') ? await fetchServer(access, name) : findServer((await list(name)).servers, name, location),
    findImages: () => Promise.resolve([]),
    // The API searches names only, and a word must be a part of it.
    search: async (query) => searchServers((await list(undefined)).servers, query),
  };
}

/** The address of an operation below the base of the registry. */
export const createApiUrl = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/, '')}/v0.1/${path}`);

async function readAllPages(access: RegistryAccess, get: GetDocument, search: string | undefined): Promise<unknown[]> {
  const servers: unknown[] = [];
  const cursors = new Set<string>();
  let bytes = 0;
  for (let cursor: string | undefined, page = 0; ; page += 1) {
    const read = await readPage(access, get, search, cursor);
    servers.push(...read.servers);
    bytes += read.bytes;
    cursor = read.nextCursor;
    if (cursor === undefined) return servers;
    if (cursors.has(cursor)) throw new RegistryDocumentError(`${access.url} repeats the page ${cursor} of its list`);
    cursors.add(cursor);
    if (page + 1 >= MAX_PAGES || bytes >= MAX_BYTES) {
      access.note(`${access.url} has more servers than are read at once; these are the first ${servers.length}.`);
      return servers;
    }
  }
}

async function readPage(
  { url: base }: RegistryAccess,
  get: GetDocument,
  search: string | undefined,
  cursor: string | undefined,
): Promise<ApiPage> {
  const url = createApiUrl(base, 'servers');
  url.search = new URLSearchParams({
    limit: String(PAGE_SIZE),
    version: 'latest',
    ...(search !== undefined && { search }),
    ...(cursor !== undefined && { cursor }),
  }).toString();
  const page = await get(url, (bytes) => readApiPage(bytes, base));
  if (page === undefined) throw new RegistryDocumentError(`${base} has no API of a registry: /v0.1/servers is missing`);
  return page;
}

/** The latest version of a server. @throws UnknownServerError, RegistryDocumentError */
async function fetchServer(access: RegistryAccess, name: string): Promise<ServerEntry> {
  const url = createApiUrl(access.url, `servers/${encodeURIComponent(name)}/versions/latest`);
  const value = await withRegistryClient(access, (get) => get(url, (bytes) => readApiServer(bytes, access.url)));
  if (value === undefined) throw createUnknownError(name, access.url);
  const { servers, problems } = readEntries([value], 'server');
  const [server] = servers;
  const [problem] = problems;
  // The error of a whole document would let an image of this name run in place of the entry.
  if (problem !== undefined) throw new UnsupportedServerError(name, problem.field, `is not valid (${problem.reason})`);
  if (server?.name !== name) throw new UnsupportedServerError(name, 'name', `is another one in ${access.url}`);
  return server;
}
