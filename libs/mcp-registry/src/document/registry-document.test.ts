import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { RegistryDocumentError } from '../registry-error.ts';
import { formatProblem } from './entry-list.ts';
import { readRegistryDocument } from './registry-document.ts';

const ENTRY = { name: 'com.example/files', description: 'Files', version: '1.0.0' };

const read = (document: unknown) => readRegistryDocument(Buffer.from(JSON.stringify(document)), 'registry.json');
const readServers = (...servers: unknown[]) =>
  read({ version: '1.0.0', meta: { last_updated: '2026-11-26T00:00:00Z' }, data: { servers } });

describe('a registry document', () => {
  it('keeps unknown fields of entries', () =>
    expect(readServers({ ...ENTRY, future: { a: 1 } }).servers).toEqual([{ ...ENTRY, future: { a: 1 } }]));

  it('has groups of servers', () =>
    expect(
      read({
        ...{ version: '1.0.0', meta: {} },
        data: { servers: [], groups: [{ name: 'office', description: 'Office', servers: [ENTRY] }], skills: [] },
      }).groups,
    ).toEqual([{ name: 'office', description: 'Office', servers: [ENTRY] }]));

  it.each<[string, Buffer, string]>([
    ['no JSON', Buffer.from('<html>'), 'is not valid JSON'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    ['a list', Buffer.from('[]'), 'expected object'],
    ['empty', Buffer.from(''), 'is not valid JSON'],
    ['too deep', Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'more than 40 levels'],
    ['too many values', Buffer.from(`[${'0,'.repeat(2_100_000)}0]`), 'more than 2000000 nodes'],
    ['too large', Buffer.alloc(17 * 1024 * 1024, 0x20), 'larger than 16 MiB'],
    ['without data', Buffer.from('{"version":"1","meta":{}}'), 'data: '],
    ['with servers of a wrong type', Buffer.from('{"version":"1","meta":{},"data":{"servers":{}}}'), 'data.servers: '],
    ['of the older format', Buffer.from('{"version":"1","servers":{"fetch":{}}}'), 'older format'],
    [
      'with a path as the name of a group',
      Buffer.from('{"version":"1","meta":{},"data":{"servers":[],"groups":[{"name":"../x","servers":[]}]}}'),
      'data.groups[0].name: ',
    ],
  ])('is refused with a reason when it is %s', (_, bytes, reason) => {
    const run = () => readRegistryDocument(bytes, 'registry.json');
    expect(run).toThrow(RegistryDocumentError);
    expect(run).toThrow(reason);
    expect(run).toThrow(/^registry\.json is /);
  });
});

describe('a wrong entry', () => {
  it.each<[unknown, string]>([
    [null, 'data.servers[0]: '],
    [{ ...ENTRY, name: '../../etc/passwd' }, 'data.servers[0]: name: must be a reversed DNS name'],
    [{ ...ENTRY, name: 'com.example/..' }, 'data.servers[0]: name: '],
    [{ ...ENTRY, name: 'com.example/a\u001b[2J' }, 'data.servers[0]: name: '],
    [{ ...ENTRY, name: `com.example/${'a'.repeat(300)}` }, 'data.servers[0]: name: '],
    [{ ...ENTRY, description: 7 }, 'com.example/files: description: '],
    [{ ...ENTRY, packages: {} }, 'com.example/files: packages: '],
    [
      { ...ENTRY, packages: [{ registryType: 'npm', identifier: 'x', transport: { type: 'pipe' } }] },
      'com.example/files: packages[0].transport.type: ',
    ],
    [
      {
        ...ENTRY,
        packages: [
          {
            registryType: 'npm',
            identifier: 'x',
            transport: { type: 'stdio' },
            environmentVariables: [{ name: 'A=B' }],
          },
        ],
      },
      'com.example/files: packages[0].environmentVariables[0].name: must be letters',
    ],
    [
      {
        ...ENTRY,
        packages: [
          {
            ...{ registryType: 'npm', identifier: 'x', transport: { type: 'stdio' } },
            packageArguments: [{ type: 'positional', value: 'a\nb' }],
          },
        ],
      },
      'com.example/files: packages[0].packageArguments[0].value: must have no line break',
    ],
    [
      {
        ...ENTRY,
        _meta: {
          'io.modelcontextprotocol.registry/publisher-provided': {
            'io.github.stacklok': { x: { permissions: { network: { outbound: { insecure_allow_all: 'no' } } } } },
          },
        },
      },
      'permissions.network.outbound.insecure_allow_all: ',
    ],
  ])('is left out with its name and field, and the others stay: %j', (wrong, text) => {
    const other = { ...ENTRY, name: 'com.example/other' };
    const { servers, problems } = readServers(wrong, other);
    expect(servers).toEqual([other]);
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining(text)]);
  });

  it('cannot replace an earlier one of the same name', () => {
    const { servers, problems } = readServers(ENTRY, { ...ENTRY, description: 'Evil' });
    expect([servers, problems.map(formatProblem)]).toEqual([
      [ENTRY],
      [expect.stringContaining('is in the registry twice')],
    ]);
  });

  it('cannot change a prototype', () => {
    const text = `{"version":"1","meta":{},"data":{"servers":[{"__proto__":{"polluted":1},"name":"a/b","description":"","version":"1"}]}}`;
    readRegistryDocument(Buffer.from(text), 'registry.json');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('of any JSON never ends the reading with another error', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 6 })), (servers) => {
        const result = readServers(...servers);
        expect(result.servers.length + result.problems.length).toBe(servers.length);
      }),
      { seed, numRuns: 200 * effort },
    ));
});
