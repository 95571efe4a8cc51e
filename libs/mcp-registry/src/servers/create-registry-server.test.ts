import { describe, expect, it } from '@jest/globals';
import { ServerEntry } from '../document/server-entry.ts';
import { UnsupportedServerError } from '../registry-error.ts';
import { createRegistryServer } from './create-registry-server.ts';
import type { LocalServer, RemoteServer } from './registry-server.ts';

const STDIO = { type: 'stdio' };

const createEntry = (fields: object) =>
  ServerEntry.parse({ name: 'com.example/files', description: 'Files', version: '1.0.0', ...fields });
const runPackage = (declared: object, extension: object = {}) => {
  const identifier = (declared as { identifier: string }).identifier;
  return createRegistryServer(
    createEntry({
      packages: [{ registryType: 'npm', version: '1.2.3', transport: STDIO, ...declared }],
      _meta: {
        'io.modelcontextprotocol.registry/publisher-provided': { 'io.github.stacklok': { [identifier]: extension } },
      },
    }),
  ) as LocalServer;
};

describe('the source of an entry', () => {
  it.each([
    [{ identifier: 'tavily-mcp' }, 'npx://tavily-mcp@1.2.3'],
    [{ identifier: '@scope/server', version: '1.0.0-beta.1' }, 'npx://@scope/server@1.0.0-beta.1'],
    [{ identifier: '@scope/server', registryBaseUrl: 'https://registry.npmjs.org/' }, 'npx://@scope/server@1.2.3'],
    [
      { registryType: 'pypi', identifier: 'mcp-server-time', version: '2026.10.19' },
      'uvx://mcp-server-time==2026.10.19',
    ],
    [{ registryType: 'pypi', identifier: 'a.b', version: '1!2.0rc1' }, 'uvx://a.b==1!2.0rc1'],
    [{ registryType: 'oci', identifier: 'ghcr.io/github/server:v1', version: undefined }, 'ghcr.io/github/server:v1'],
    [{ registryType: 'oci', identifier: 'docker.io/owner/server', version: '1.0' }, 'docker.io/owner/server:1.0'],
    [{ registryType: 'oci', identifier: 'localhost:5000/server', version: '1.0' }, 'localhost:5000/server:1.0'],
    [{ registryType: 'oci', identifier: `x/y@sha256:${'0'.repeat(64)}` }, `x/y@sha256:${'0'.repeat(64)}`],
  ])('%j is run as %s', (declared, source) => expect(runPackage(declared).source).toBe(source));

  it.each([
    [{ identifier: 'x', version: undefined }, 'packages[0].version', 'is missing'],
    [{ identifier: 'x', version: 'latest' }, 'packages[0].version', 'exact version'],
    [{ identifier: 'x', version: '^1.2.3' }, 'packages[0].version', 'exact version'],
    [{ identifier: 'x', version: '1.x' }, 'packages[0].version', 'exact version'],
    [{ identifier: 'x', version: '>=1' }, 'packages[0].version', 'exact version'],
    [{ identifier: 'x', version: '1.0 --registry=http://evil' }, 'packages[0].version', 'exact version'],
    [{ identifier: '../../etc/passwd' }, 'packages[0].identifier', 'not the name of a package'],
    [{ identifier: '--prefix=/', registryType: 'pypi' }, 'packages[0].identifier', 'not the name of a package'],
    [{ identifier: 'x\u001b[2J' }, 'packages[0].identifier', 'not the name of a package'],
    [{ identifier: 'git+https://x' }, 'packages[0].identifier', 'not the name of a package'],
    [
      { identifier: 'x', registryBaseUrl: 'https://npm.example.com' },
      'packages[0].registryBaseUrl',
      'must be https://reg',
    ],
    [{ identifier: 'x', fileSha256: '0'.repeat(64) }, 'packages[0].fileSha256', 'cannot be checked'],
    [{ registryType: 'oci', identifier: '-v /:/host x' }, 'packages[0].identifier', 'not an image reference'],
    [{ registryType: 'mcpb', identifier: 'https://x/y.mcpb' }, 'packages', 'have the types mcpb'],
  ])('%j is refused with the field', (declared, field, reason) => {
    const run = () => runPackage(declared);
    expect(run).toThrow(UnsupportedServerError);
    expect(run).toThrow(`The registry entry com.example/files cannot be run: ${field} `);
    expect(run).toThrow(reason);
  });

  it('is the image where an entry also has packages and addresses', () => {
    const packages = ['pypi', 'npm', 'oci'].map((registryType) => ({
      ...{ registryType, identifier: registryType, version: '1.0.0', transport: STDIO },
    }));
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }];
    const run = (from: number) =>
      createRegistryServer(createEntry({ packages: packages.slice(0, from), remotes })) as LocalServer & RemoteServer;
    expect(run(3)).toMatchObject({ kind: 'container', source: 'oci:1.0.0' });
    expect(run(2)).toMatchObject({ kind: 'package', source: 'npx://npm@1.0.0' });
    expect(run(1)).toMatchObject({ kind: 'package', source: 'uvx://pypi==1.0.0' });
    expect(run(0)).toMatchObject({ kind: 'remote', url: 'https://mcp.example.com/mcp', transport: 'streamable-http' });
  });
});

describe('an entry of a registry of the peer', () => {
  const server = runPackage(
    {
      registryType: 'oci',
      identifier: 'ghcr.io/github/github-mcp-server:v0.19.1',
      version: undefined,
      transport: { type: 'streamable-http', url: 'http://localhost:8080/mcp' },
      environmentVariables: [
        { name: 'TOKEN', description: 'a token', isRequired: true, isSecret: true },
        { name: 'HOST', description: 'a host', default: 'github.com' },
      ],
    },
    {
      status: 'Deprecated',
      tools: ['create_issue'],
      tags: ['api'],
      args: ['--read-only'],
      proxy_port: 8080,
      permissions: { network: { outbound: { allow_host: ['.github.com'], allow_port: [443] } }, future: true },
      provenance: {
        repository_uri: 'https://github.com/github/github-mcp-server',
        sigstore_url: 'tuf-repo.github.com',
      },
    },
  );

  it('keeps transport, port, permissions, variables, arguments, tools and provenance', () =>
    expect(server).toMatchObject({
      ...{ kind: 'container', transport: 'streamable-http', targetPort: 8080, proxyPort: 8080, deprecated: true },
      permissions: { network: { outbound: { allow_host: ['.github.com'], allow_port: [443] } }, future: true },
      environment: [
        { name: 'TOKEN', required: true, secret: true, default: undefined },
        { name: 'HOST', required: false, secret: false, default: 'github.com' },
      ],
      arguments: { values: ['--read-only'], missing: [] },
      tools: ['create_issue'],
      provenance: { repository_uri: 'https://github.com/github/github-mcp-server' },
    }));

  it('is refused if it wants all rights', () =>
    expect(() => runPackage({ identifier: 'x' }, { permissions: { privileged: true } })).toThrow(
      'permissions.privileged is true',
    ));
});

describe('the arguments of an entry', () => {
  it.each<[string, object[], string[], string[]]>([
    ['a flag and its value', [{ type: 'named', name: '--port', value: '80' }], ['--port', '80'], []],
    ['a default', [{ type: 'positional', valueHint: 'dir', default: '/data' }], ['/data'], []],
    [
      'a variable with a default',
      [{ type: 'positional', value: 'x={y}', variables: { y: { default: '1' } } }],
      ['x=1'],
      [],
    ],
    ['braces without a variable', [{ type: 'positional', value: '{"a":1}' }], ['{"a":1}'], []],
    ['a flag without value', [{ type: 'named', name: '--stdio', isRequired: true }], ['--stdio'], []],
    ['an optional flag', [{ type: 'named', name: '--key', description: 'a key' }], [], []],
    ['a required value', [{ type: 'positional', valueHint: 'dir', isRequired: true }], [], ['dir']],
    ['a required flag', [{ type: 'named', name: '--key', isRequired: true, isSecret: true }], [], ['--key']],
  ])('%s', (_, packageArguments, values, missing) => {
    const { arguments: read } = runPackage({ identifier: 'x', packageArguments });
    expect([read.values, read.missing.map(({ name }) => name)]).toEqual([values, missing]);
  });
});

describe('runtime arguments', () => {
  it('set environment variables, and nothing else', () => {
    const { environment, warnings } = runPackage({
      identifier: 'x',
      runtimeArguments: [
        {
          type: 'named',
          name: '-e',
          value: 'TOKEN={token}',
          variables: { token: { isRequired: true, isSecret: true, description: 'a token' } },
        },
        { type: 'named', name: '--env', value: 'MODE=fast' },
        { type: 'named', name: '--privileged', isRequired: true },
        { type: 'named', name: '-v', value: '/:/host' },
        { type: 'positional', value: '--network=host' },
      ],
    });
    expect(environment).toMatchObject([
      { name: 'TOKEN', required: true, secret: true, default: undefined, description: 'a token' },
      { name: 'MODE', required: false, default: 'fast' },
    ]);
    expect(warnings).toEqual(
      ['--privileged', '-v', '--network=host'].map((name) => `the runtime argument ${name} has no effect`),
    );
  });
});

describe('the address of an entry', () => {
  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://user:secret@example.com/', 'x'])(
    '%s is refused',
    (url) =>
      expect(() => createRegistryServer(createEntry({ remotes: [{ type: 'sse', url }] }))).toThrow('remotes[0].url'),
  );
});
