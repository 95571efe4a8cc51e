import { describe, expect, it } from '@jest/globals';
import { ServerEntry } from '../document/server-entry.ts';
import { searchServers } from './search-servers.ts';

const createEntry = (name: string, description: string, identifier: string, extension: object) =>
  ServerEntry.parse({
    ...{ name, description, version: '1.0.0' },
    packages: [{ registryType: 'npm', identifier, version: '1.0.0', transport: { type: 'stdio' } }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': { 'io.github.stacklok': { [identifier]: extension } },
    },
  });
const SERVERS = [
  createEntry('a.b/notes', 'Keeps notes of time', 'notes-mcp', { tags: ['office'] }),
  createEntry('a.b/time', 'Tells the hour', 'time-mcp', { tools: ['convert_zone'] }),
  createEntry('io.github.c/tool', 'Reads Git repositories', 'tool', {}),
  createEntry('io.github.d/other', 'Reads files', 'other', {}),
];

describe('searchServers', () => {
  it.each([
    ['time', ['a.b/time', 'a.b/notes']],
    ['TIME keeps', ['a.b/notes']],
    ['office', ['a.b/notes']],
    ['convert', ['a.b/time']],
    ['notes-mcp', ['a.b/notes']],
    ['time missing', []],
    ['git', ['io.github.c/tool']],
    ['hub', []],
    ['io.github.c', ['io.github.c/tool']],
    ['io.github', ['io.github.c/tool', 'io.github.d/other']],
    ['__proto__', []],
    ['.*', []],
    ['   ', []],
  ])('%s: %j', (query, names) => expect(searchServers(SERVERS, query).map(({ name }) => name)).toEqual(names));

  it('needs no longer for a query of 100,000 words', () =>
    expect(searchServers(SERVERS, 'time '.repeat(100_000))).toHaveLength(2));
});
