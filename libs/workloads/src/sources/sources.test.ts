import { describe, expect, it } from '@jest/globals';
import { ServerEntry } from '@gatehouse/mcp-registry/document/server-entry';
import { findImages } from '@gatehouse/mcp-registry/registry/find-images';
import type { Registry } from '@gatehouse/mcp-registry/registry/registry';
import {
  AmbiguousServerError,
  RegistryUnavailableError,
  UnknownServerError,
} from '@gatehouse/mcp-registry/registry-error';
import { createRegistryServer } from '@gatehouse/mcp-registry/servers/create-registry-server';
import type { LocalServer } from '@gatehouse/mcp-registry/servers/registry-server';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { createRunConfig } from '../configuration/create-run-config.ts';
import { parseRunFlags, type RunFlags } from '../flags/run-flags.ts';
import { resolveSource } from './resolve-source.ts';
import { addServerEnvironment } from './server-environment.ts';
import { addServerFlags } from './server-flags.ts';

const createEntry = (fields: object, extension: object = {}) =>
  ServerEntry.parse({
    ...{ name: 'com.example/files', description: 'Files', version: '1.0.0' },
    packages: [{ registryType: 'oci', identifier: 'example/files:1', transport: { type: 'stdio' }, ...fields }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        'io.github.stacklok': { 'example/files:1': extension },
      },
    },
  });
const createServer = (fields: object, extension?: object) =>
  createRegistryServer(createEntry(fields, extension)) as LocalServer;
const createRegistry = (find: Registry['find']): Registry => ({
  location: 'the registry',
  find,
  list: () => Promise.reject(new Error('not listed')),
  search: () => Promise.reject(new Error('not searched')),
  findImages: () => Promise.resolve([]),
});
const HTTP = { transport: { type: 'streamable-http', url: 'http://localhost:8000/mcp' } };

describe('resolveSource', () => {
  const notes: string[] = [];
  const resolve = (typed: string, find: Registry['find']) =>
    resolveSource(typed, { open: () => Promise.resolve(createRegistry(find)), note: (one) => notes.push(one) });

  const findImage = (typed: string, entries: ServerEntry[]) => {
    const registry = {
      ...createRegistry(() => Promise.reject(new UnknownServerError('no'))),
      findImages: (repository: string) => Promise.resolve(findImages(entries, repository)),
    };
    return resolveSource(typed, { open: () => Promise.resolve(registry), note: (one) => notes.push(one) });
  };

  it('replaces a name by the image of its entry', async () => {
    const { source, server } = await resolve('files', () => Promise.resolve(createEntry({})));
    expect([source, server?.name]).toEqual(['example/files:1', 'com.example/files']);
  });

  it.each([
    ['files', [undefined]],
    ['ghcr.io/owner/server', [3_000]],
    ['server:1.0', [3_000]],
    [`server@sha256:${'0'.repeat(64)}`, [3_000]],
  ])('gives the registry little time when %s can be no name in it', async (typed, expected) => {
    const timeouts: unknown[] = [];
    const open = (timeoutMs?: number) => {
      timeouts.push(timeoutMs);
      return Promise.resolve(createRegistry(() => Promise.resolve(createEntry({}))));
    };
    await resolveSource(typed, { open, note: () => undefined });
    expect(timeouts).toEqual(expected);
  });

  it.each(['npx://x', 'https://example.com/mcp', './x'])('does not ask the registry for %s', async (typed) => {
    const open = () => Promise.reject(new Error('opened'));
    expect(await resolveSource(typed, { open, note: () => undefined })).toEqual({ source: typed, server: undefined });
  });

  it.each(['example/files', 'docker.io/example/files:2', `example/files:1@sha256:${'0'.repeat(64)}`])(
    'takes from the entry of the image %s only how its server is reached',
    async (typed) => {
      const { source, server, imageServer } = await findImage(typed, [createEntry(HTTP), createEntry(HTTP)]);
      expect([source, server, imageServer?.name]).toEqual([typed, undefined, 'com.example/files']);
    },
  );

  it.each([
    ['reach their servers differently', [createEntry(HTTP), createEntry({})], 'example/files:2'],
    ['have another image', [createEntry(HTTP)], 'example/other'],
    ['have the image as a path of another host', [createEntry(HTTP)], 'ghcr.io/example/files'],
    ['cannot be run', [createEntry({ identifier: 'example/files', version: '../x' })], 'example/files'],
  ])('ignores entries that %s', async (_, entries, typed) =>
    expect(await findImage(typed, entries)).toEqual({ source: typed, server: undefined }),
  );

  it('keeps a text that the registry does not have, or that it cannot look up', async () => {
    expect(await resolve('a/b', () => Promise.reject(new UnknownServerError('no')))).toMatchObject({ source: 'a/b' });
    const failure = new RegistryUnavailableError('It does not answer');
    expect(await resolve('a/b', () => Promise.reject(failure))).toMatchObject({ source: 'a/b' });
    expect(notes).toEqual(["It does not answer; 'a/b' is taken as the name of an image"]);
  });

  it('refuses a name of several servers', async () => {
    const ambiguous = new AmbiguousServerError('files', ['a.b/files', 'c.d/files']);
    await expect(resolve('files', () => Promise.reject(ambiguous))).rejects.toThrow('a.b/files, c.d/files');
  });

  it('replaces the name of a remote server by its URL', async () => {
    const remote = { ...createEntry({}), packages: [], remotes: [{ type: 'sse', url: 'https://x.example/' }] };
    expect(await resolve('files', () => Promise.resolve(ServerEntry.parse(remote)))).toMatchObject({
      source: 'https://x.example/',
      server: undefined,
      remoteServer: { name: 'com.example/files', transport: 'sse' },
    });
  });
});

describe('addServerFlags', () => {
  const server = createServer(
    { ...HTTP, packageArguments: [{ type: 'positional', value: '/data' }] },
    { stateless: true },
  );
  const complete = (flags: RunFlags, args: string[] = [], of = server) =>
    addServerFlags('com.example/files', of, { args, flags });

  it('takes the values of the entry where the user gives none', () =>
    expect(complete({})).toMatchObject({
      args: ['/data'],
      flags: { name: 'com-example-files', transport: 'streamable-http', targetPort: '8000', stateless: true },
    }));

  it('prefers flags and arguments of the user', () =>
    expect(complete({ name: 'mine', targetPort: '90', env: ['A=b'] }, ['/other'])).toMatchObject({
      args: ['/other'],
      flags: { name: 'mine', targetPort: '90', env: ['A=b'] },
    }));

  it('gives a stdio server no port', () =>
    expect(complete({ transport: 'stdio' }).flags).toEqual({ name: 'com-example-files', transport: 'stdio' }));

  it('gives an SSE server its transport and its port, unless the user names another one', () => {
    const sse = createServer({ transport: { type: 'sse', url: 'http://localhost:8000/sse' } });
    expect(complete({}, [], sse).flags).toMatchObject({ transport: 'sse', targetPort: '8000' });
    expect(complete({ transport: 'stdio' }, [], sse).flags.transport).toBe('stdio');
  });

  it('names the arguments that only the user knows', () => {
    const wanting = createServer({ packageArguments: [{ type: 'positional', valueHint: 'dir', isRequired: true }] });
    expect(() => complete({}, [], wanting)).toThrow('com.example/files needs arguments: dir');
  });
});

describe('addServerEnvironment', () => {
  const server = createServer({
    environmentVariables: [
      { name: 'HOST', default: 'example.com' },
      { name: 'USER', isRequired: true },
      { name: 'TOKEN', isRequired: true, isSecret: true },
      { name: 'UNUSED' },
    ],
  });
  const stored: string[] = [];
  const complete = (flags: RunFlags, terminal: boolean, found?: string) =>
    addServerEnvironment(parseRunFlags('example/files:1', [], flags, '/'), server, {
      ask: terminal ? ({ name }) => Promise.resolve(`answer of ${name}`) : undefined,
      find: ({ name }) =>
        Promise.resolve(found === undefined ? undefined : SecretReference.parse(`${found},target=${name}`)),
      store: ({ name, value }) => {
        stored.push(value);
        return Promise.resolve(SecretReference.parse(`stored,target=${name}`));
      },
    }).then(({ environment, secrets }) => [{ ...environment }, secrets.map(String)]);

  it('takes defaults, asks for the rest, and stores a secret', async () => {
    expect(await complete({}, true)).toEqual([
      { HOST: 'example.com', USER: 'answer of USER' },
      ['stored,target=TOKEN'],
    ]);
    expect(stored).toEqual(['answer of TOKEN']);
  });

  it('does not ask for variables of flags, whose values win', async () => {
    const flags = { env: ['USER=ada', 'HOST='], secret: ['mine,target=TOKEN'] };
    expect(await complete(flags, false)).toEqual([{ USER: 'ada', HOST: '' }, ['mine,target=TOKEN']]);
    expect(await complete({ env: ['USER=ada', 'TOKEN=t'] }, false, 'found')).toEqual([
      { USER: 'ada', TOKEN: 't', HOST: 'example.com' },
      [],
    ]);
  });

  it('takes the secret that an earlier run has stored', async () =>
    expect((await complete({ env: ['USER=ada'] }, false, 'found'))[1]).toEqual(['found,target=TOKEN']));

  it('names all missing variables without a terminal', () =>
    expect(complete({}, false)).rejects.toThrow('needs environment variables: USER, TOKEN'));
});

describe('the configuration of an entry', () => {
  const create = (permissions: object, flags: RunFlags = {}) =>
    createRunConfig(
      {
        ...parseRunFlags('example/files:1', [], flags, '/'),
        server: createServer({}, { permissions }),
        registry: { kind: 'url', url: 'https://registry.example/', allow_private_ip: false },
      },
      { containerName: 'x', engine: 'unix:///x', host: '127.0.0.1', networkRange: [] },
    );
  const permissions = { read: ['/data'], network: { outbound: { allow_host: ['example.com'], allow_port: [443] } } };

  it('has the permissions of the entry and its place', () =>
    expect(create(permissions)).toMatchObject({
      permission_profile: { network: { ...permissions.network, mode: '' } },
      registry_server_name: 'com.example/files',
      registry_url: 'https://registry.example/',
    }));

  it.each([
    ['host', undefined, ''],
    ['none', undefined, 'none'],
    ['none', 'tools', 'tools'],
    ['host', 'none', 'none'],
  ])('with the network %s of the entry and %s of the user has %j', (mode, network, expected) =>
    expect(create({ network: { mode } }, { network }).permission_profile?.network?.mode).toBe(expected),
  );
});
