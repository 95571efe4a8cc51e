import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import RegistrySet from './registry/set.ts';
import { RunHarness } from './run.fixture.ts';

let harness: RunHarness;
beforeAll(async () => {
  harness = new RunHarness(process.env);
  await harness.open();
});
afterAll(() => harness.close());
beforeEach(() => harness.reset());
const at = (path: string): string => harness.at(path);
const place = (text: string): string => harness.place(text);

/** Expects the exit code 2 and exactly this sentence, and that nothing was started or written. */
async function expectRefusal(argv: readonly string[], sentence: string): Promise<void> {
  const refusal = await harness.refuse(argv.map(place));
  expect([refusal.exitCode, refusal.sentence]).toEqual([2, place(sentence)]);
  expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
}

const NOT_A_MOUNT = 'is not in the form host-path:container-path, where no path contains a colon';

/** Permission profiles of wrong types, and the sentence after the path. */
const PROFILES: readonly (readonly [document: string, problem: string])[] = [
  ['', 'is not JSON: Unexpected end of JSON input'],
  ['[]', 'is not valid: the document must be an object'],
  ['null', 'is not valid: the document must be an object'],
  ['{"read":"/a"}', 'is not valid: read must be a list'],
  ['{"write":[1]}', 'is not valid: write.0 must be a text'],
  ['{"network":[]}', 'is not valid: network must be an object'],
  ['{"network":{"mode":1}}', 'is not valid: network.mode must be a text'],
  [
    '{"network":{"outbound":{"insecure_allow_all":"no"}}}',
    'is not valid: network.outbound.insecure_allow_all must be true or false',
  ],
  [
    '{"network":{"outbound":{"allow_port":["80"]}}}',
    'is not valid: network.outbound.allow_port.0 must be a port, a whole number from 1 to 65535',
  ],
  [
    '{"network":{"outbound":{"allow_port":[70000]}}}',
    'is not valid: network.outbound.allow_port.0 must be a port, a whole number from 1 to 65535',
  ],
  ['{"privileged":1}', 'is not valid: privileged must be true or false'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'is too large: it has more than 100 levels'],
  ['{"read":["relative"]}', ": read.0 is the relative path 'relative'; write host-path:container-path"],
  ['{"read":["/missing"]}', ": read.0 names the host path '/missing', which does not exist"],
  ['{"read":["/tmp:/x:/y"]}', `: read.0 '/tmp:/x:/y' ${NOT_A_MOUNT}`],
  [`{"read":[${'"/tmp:/x",'.repeat(500)}"/tmp:/x"]}`, ': read has 501 mounts; a server can have 500'],
  [
    '{"network":{"mode":"../x"}}',
    ': network.mode ../x is not a network name; give host, none or the name of a network',
  ],
];

/** A registry with one entry, which has one npm package. */
const createRegistry = (fields: object = {}, packageFields: object = {}): string =>
  JSON.stringify({
    ...{ version: '1.0.0', meta: {} },
    data: {
      servers: [
        {
          ...{ name: 'com.example/files', description: 'Files', version: '1.0.0' },
          packages: [
            {
              registryType: 'npm',
              identifier: 'files',
              version: '1.0.0',
              transport: { type: 'stdio' },
              ...packageFields,
            },
          ],
          ...fields,
        },
      ],
    },
  });
const NO_REGISTRY = '@/registry.json is no registry:';

/** Documents that are no registry or have no server, and the sentence of `registry set`. */
const REGISTRIES: readonly (readonly [what: string, document: string, sentence: string])[] = [
  ['no JSON', '<html>', `${NO_REGISTRY} it is not valid JSON`],
  ['many levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, `${NO_REGISTRY} it has more than 40 levels`],
  ['many members', `{${'"a":0,'.repeat(2_100_000)}"a":0}`, `${NO_REGISTRY} it has more than 2000000 nodes`],
  [
    '17 MiB',
    ' '.repeat(17 * 1024 * 1024),
    'The registry file @/registry.json cannot be read: it is larger than 16 MiB',
  ],
  ['a list', '[]', `${NO_REGISTRY} Invalid input: expected object, received array`],
  [
    'servers of a wrong type',
    '{"version":"1","meta":{},"data":{"servers":{}}}',
    `${NO_REGISTRY} data.servers: Invalid input: expected array, received object`,
  ],
  [
    'equal keys, the last one counts',
    `{"data":${createRegistry()},"data":1,"meta":{},"version":"1"}`,
    `${NO_REGISTRY} data: Invalid input: expected object, received number`,
  ],
];

/** Entries that must not run, and the sentence of `run com.example/files`. */
const ENTRIES: readonly (readonly [what: string, document: string, sentence: string])[] = [
  [
    'an entry of wrong types',
    createRegistry({ packages: 'files' }),
    'The registry entry com.example/files cannot be run: packages is not valid (Invalid input: expected array, received string)',
  ],
  [
    'a package with a path',
    createRegistry({}, { identifier: '../../etc' }),
    'The registry entry com.example/files cannot be run: packages[0].identifier is not the name of a package of npm',
  ],
  [
    'a package of a foreign server',
    createRegistry({}, { registryBaseUrl: 'file:///etc' }),
    'The registry entry com.example/files cannot be run: packages[0].registryBaseUrl must be https://registry.npmjs.org',
  ],
  [
    'a package with an option',
    createRegistry({}, { identifier: '--registry=http://evil' }),
    'The registry entry com.example/files cannot be run: packages[0].identifier is not the name of a package of npm',
  ],
  [
    'an address that is a file',
    createRegistry({ packages: [], remotes: [{ type: 'streamable-http', url: 'file:///etc/passwd' }] }),
    'The registry entry com.example/files cannot be run: remotes[0].url must be an https URL without user name and password',
  ],
];

/** Exported configurations, and the sentence after the path. */
const EXPORTS: readonly (readonly [what: string, document: string, problem: string])[] = [
  ['no JSON', '{', "is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['a list', '[]', 'cannot be used: the configuration is not a JSON object'],
  [
    'a newer version',
    '{"name":"mine","image":"a","schema_version":"v9.0.0"}',
    'cannot be used: the configuration has version "v9.0.0"; this version of gatehouse reads v0.1.0',
  ],
  [
    'a version of another type',
    '{"name":"mine","image":"a","schema_version":{"major":1}}',
    'cannot be used: the configuration has version {"major":1}; this version of gatehouse reads v0.1.0',
  ],
  ['many levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'is too large: it has more than 100 levels'],
  ['many members', `{${'"a":0,'.repeat(500_001)}"a":0}`, 'is too large: it has more than 500000 values'],
  ['the name ..', '{"name":"..","image":"a"}', 'has the name "..", which no workload can have'],
  ['the name __proto__', '{"name":"__proto__","image":"a"}', 'has the name "__proto__", which no workload can have'],
  ['a path as its name', '{"name":"../../x","image":"a"}', 'has the name "../../x", which no workload can have'],
  [
    'a line break in its name',
    '{"name":"a\\nError: b","image":"a"}',
    'has the name "a\\nError: b", which no workload can have',
  ],
  [
    'equal keys, the last one counts',
    '{"name":"mine","image":"a","image":7}',
    'cannot be used: the field image is not of the type string',
  ],
  [
    'a wrong name of a variable of its image',
    '{"name":"mine","image":"a","runtime_config":{"runtime_env":{"A B":"x"}}}',
    'cannot be used: env_vars A B has a blank or control character in its name',
  ],
  ['no server', '{"name":"mine"}', 'has neither an image nor a source'],
  [
    'an option as its image',
    '{"name":"mine","image":"--privileged"}',
    "cannot be used: '--privileged' is not a valid container image reference",
  ],
  [
    'a socket as a volume',
    '{"name":"mine","image":"a","volumes":["@/engine.sock:/x"]}',
    'cannot be used: volumes @/engine.sock:/x mounts @/engine.sock, which would give the server the socket of the container engine (@/engine.sock)',
  ],
  [
    '501 volumes',
    `{"name":"mine","image":"a","volumes":[${'"/tmp:/x",'.repeat(500)}"/tmp:/x"]}`,
    'cannot be used: volumes has 501 mounts; a server can have 500',
  ],
];

describe('gatehouse run with a file', () => {
  it.each(PROFILES)('refuses the permission profile %.60s', async (document, problem) => {
    writeFileSync(at('profile.json'), document);
    const flag = ['--permission-profile', '@/profile.json'];
    await expectRefusal(['a', ...flag], `${flag.join(' ')}${problem.startsWith(':') ? '' : ' '}${problem}`);
  });

  it('resolves the paths of a configuration in its folder, and warns of fields without effect', async () => {
    const fields = { env_file_dir: '/envs', ignore_config: { global_file: '/missing/ignore' } };
    const document = { name: 'mine', image: 'a', volumes: ['./engine.sock:/x'], ...fields };
    writeFileSync(at('export.json'), JSON.stringify(document));
    await expectRefusal(
      ['--from-config', '@/export.json'],
      '--from-config @/export.json cannot be used: volumes @/engine.sock:/x mounts @/engine.sock, which would give the server the socket of the container engine (@/engine.sock)',
    );
    expect(harness.said).toEqual([
      'Warning: env_file_dir /envs has no effect: env_vars has the variables of its files',
      'Warning: ignore_config.global_file /missing/ignore does not exist; the ignore file of this machine applies',
    ]);
  });

  it.each(EXPORTS)('refuses an exported configuration with %s', async (_, document, problem) => {
    writeFileSync(at('export.json'), place(document));
    await expectRefusal(['--from-config', '@/export.json'], `--from-config @/export.json ${problem}`);
  });

  it.each(ENTRIES)('refuses a registry with %s', async (_, document, sentence) => {
    writeFileSync(at('registry.json'), document);
    writeFileSync(at('home/settings.json'), place('{"registry":{"kind":"file","path":"@/registry.json"}}'));
    try {
      const refusal = await harness.refuse(['com.example/files']);
      expect([refusal.exitCode, refusal.sentence]).toEqual([1, sentence]);
      expect([harness.changes, harness.listFiles()]).toEqual([[], ['settings.json']]);
    } finally {
      rmSync(at('home/settings.json'));
    }
  });
});

describe('gatehouse registry set', () => {
  const expectRefusedRegistry = async (place: string, sentence: string) => {
    const { exitCode, sentence: received } = await harness.refuse([place], RegistrySet);
    expect([exitCode, received]).toEqual([1, sentence]);
    expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
  };

  it.each(REGISTRIES)('refuses a file with %s', async (_, document, sentence) => {
    writeFileSync(at('registry.json'), document);
    await expectRefusedRegistry(at('registry.json'), place(sentence));
  });

  it.each([
    ['file:///etc', 'The registry file /etc cannot be read: it is not a file'],
    ['file:///dev/zero', 'The registry file /dev/zero cannot be read: it is not a file'],
    ['file://example.com/etc/passwd', 'file://example.com/etc/passwd is not the address of a file on this machine'],
    ['file:///etc/passwd', '/etc/passwd is no registry: it is not valid JSON'],
    [
      'http://127.0.0.1:1/registry.json',
      'The registry http://127.0.0.1:1 cannot be read: 127.0.0.1:1 must be called over https unless private addresses are allowed for it',
    ],
    [
      'https://user:secret@example.com/registry.json',
      'The address of the registry, https://…@example.com/registry.json, cannot be used: it must not carry a user name or password',
    ],
    [
      'http://169.254.169.254/',
      'The registry http://169.254.169.254 cannot be read: 169.254.169.254:80 must be called over https unless private addresses are allowed for it',
    ],
  ])('refuses the address %s', expectRefusedRegistry);
});
