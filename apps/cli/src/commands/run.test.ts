import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunHarness } from './run.fixture.ts';

let harness: RunHarness;
const sockets = createServer();
beforeAll(async () => {
  harness = new RunHarness(process.env);
  await harness.open();
  mkdirSync(at('data'));
  mkdirSync(at('other'));
  mkdirSync(at('sockets'));
  await new Promise<void>((done) => sockets.listen(at('sockets/podman.sock'), done));
  symlinkSync('/', at('root'));
  symlinkSync('engine.sock', at('data.sock'));
  symlinkSync('loop', at('loop'));
  writeFileSync(at('text'), 'no JSON');
  writeFileSync(at('latin1'), Buffer.from([0x41, 0x3d, 0xe9]));
  writeFileSync(at('bad.env'), 'A=1\nB C=2\n');
  writeFileSync(at('bad.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  writeFileSync(at('begins.pem'), '-----BEGIN CERTIFICATE-----\n'.repeat(100_000));
  writeFileSync(at('large'), 'A'.repeat(5 * 1024 * 1024));
});
afterAll(() => {
  sockets.close();
  harness.close();
});
beforeEach(() => harness.reset());

const at = (path: string): string => harness.at(path);
const place = (text: string): string => harness.place(text);

/** Expects the exit code 2 and exactly this sentence, and that nothing was started or written. */
async function expectRefusal(argv: readonly string[], sentence: string, exitCode = 2): Promise<void> {
  const refusal = await harness.refuse(argv.map(place));
  expect({ ...refusal, tryNext: [] }).toEqual({ exitCode, sentence: place(sentence), tryNext: [] });
  expect(harness.changes).toEqual([]);
  expect(harness.listFiles()).toEqual([]);
}

/** Cuts a flag with its value as messages do. */
const shorten = (typed: string): string =>
  (typed.length > 200 ? `${typed.slice(0, 200)}…` : typed).replace(
    /[\n\0]/g,
    (character) => `\\u000${character === '\n' ? 'a' : '0'}`,
  );

const LONG = 'x'.repeat(300);
const NOT_A_PORT = 'is not a port; give a number from 1 to 65535';
const NOT_A_HOST = 'is neither an IP address nor a host name';
const NOT_A_GROUP =
  "is not a group name; a name is at most 100 lower-case letters, digits, '_', '-' and single blanks between words";
const NOT_PUBLISHED = 'is not in the form hostPort:containerPort with ports from 1 to 65535';
const NOT_A_MOUNT = 'is not in the form host-path:container-path, where no path contains a colon';
const NO_TRANSPORT = 'is not a transport; give stdio, sse or streamable-http';
const NO_PROFILE = 'is neither none nor network, and the file cannot be read';

/** A flag, a value and the sentence after both; `@/` is the folder of the tests. */
const VALUES: readonly (readonly [flag: string, value: string, problem: string])[] = [
  ['--from-config', '', 'cannot be read: it does not exist'],
  ['--from-config', '@/missing', 'cannot be read: it does not exist'],
  ['--from-config', '@/data', 'cannot be read: it is not a file'],
  ['--from-config', '/dev/zero', 'cannot be read: it is not a file'],
  ['--from-config', '@/loop', 'cannot be read: its symbolic links lead in a circle'],
  ['--from-config', '@/latin1', 'cannot be read: it is not UTF-8 text'],
  ['--from-config', '@/large', 'cannot be read: it is larger than 4 MiB'],
  ['--build-with', 'x;y', 'is not a constraint such as pydantic<2'],
  ['--build-with', 'a"b', 'is not a constraint such as pydantic<2'],
  ['--build-with', '-r x', 'is not a constraint such as pydantic<2'],
  ['--ca-cert', '', 'cannot be read: it is not a file'],
  ['--ca-cert', '@/missing', 'cannot be read: it does not exist'],
  ['--ca-cert', '/dev/zero', 'cannot be read: it is not a file'],
  ['--ca-cert', '@/text', 'contains no certificate in PEM form'],
  ['--ca-cert', '@/begins.pem', 'contains no certificate in PEM form'],
  ['--ca-cert', '@/large', 'cannot be read: it is larger than 4 MiB'],
  ['--runtime-image', 'Not An Image', 'is not an image reference'],
  ['--runtime-image', 'x\nRUN y', 'is not an image reference'],
  ['--runtime-add-package', 'a;b', 'is not the name of a package of the operating system'],
  ['--runtime-add-package', '--x', 'is not the name of a package of the operating system'],
  ['--image-verification', 'true', 'is not a mode; give warn, enabled or disabled'],
  ['--image-verification', 'WARN', 'is not a mode; give warn, enabled or disabled'],
  ['--label', 'x', 'is not in the form key=value'],
  ['--label', '=v', 'has an empty key'],
  ['--label', 'a/b/c=v', "has more than one '/' in its key"],
  ['--label', 'gatehouse-name=x', "uses the key 'gatehouse-name'; keys that begin with gatehouse are reserved"],
  ['--env', 'KEY', 'is not in the form KEY=VALUE'],
  ['--env-file', '', 'cannot be read: it does not exist'],
  ['--env-file', '@/missing', 'cannot be read: it does not exist'],
  ['--env-file', '/dev/zero', 'cannot be read: it is not a file'],
  ['--env-file', '@/large', 'cannot be read: it is larger than 2 MiB'],
  ['--env-file', '@/latin1', 'cannot be read: it is not UTF-8 text'],
  ['--env-file', '@/bad.env', 'line 2 has a blank or control character in its name'],
  ['--env-file-dir', '@/missing', 'cannot be read: it does not exist'],
  ['--env-file-dir', '@/text', 'cannot be read: a part of its path is not a folder'],
  ['--volume', '', NOT_A_MOUNT],
  ['--volume', '@/data', 'is not in the form host-path:container-path[:ro]'],
  ['--volume', '@/data:relative', "has the container path 'relative', which is not absolute"],
  ['--volume', '@/data:/', 'would replace the root of the container'],
  ['--volume', '@/data:/x/../..', 'would replace the root of the container'],
  ['--volume', '@/data:/proc/sys', 'would replace a part of /proc of the container'],
  ['--volume', '@/data:/x:rw', 'has the option rw; a mount is writable without an option, and read-only with :ro'],
  ['--volume', '@/data:/x:ro,z', 'has the option ro,z; a mount is writable without an option, and read-only with :ro'],
  ['--volume', '@/data:/x:/y', NOT_A_MOUNT],
  ['--volume', 'volume://data:/x', 'names a volume of the engine; give a path of this machine'],
  ['--volume', '$HOME:/x', 'contains a forbidden character ($ & ; | ` or NUL)'],
  ['--volume', '@/missing:/x', "names the host path '@/missing', which does not exist"],
  ['--publish', '', NOT_PUBLISHED],
  ['--publish', '0:80', NOT_PUBLISHED],
  ['--publish', '80:65536', NOT_PUBLISHED],
  ['--publish', '127.0.0.1:80:80', NOT_PUBLISHED],
  ['--publish', '80:80/udp', NOT_PUBLISHED],
  ['--network', 'a b', 'is not a network name; give host, none or the name of a network'],
  ['--network', '../x', 'is not a network name; give host, none or the name of a network'],
  ['--network', 'missing', 'is not a network of the container engine'],
  ['--permission-profile', '', 'is neither none nor network, nor the path of a JSON file'],
  ['--permission-profile', 'all', `${NO_PROFILE}: it does not exist`],
  ['--permission-profile', '@/data', `${NO_PROFILE}: it is not a file`],
  ['--permission-profile', '@/large', `${NO_PROFILE}: it is larger than 1 MiB`],
  ['--transport', 'Stdio', NO_TRANSPORT],
  ['--transport', 'websocket', NO_TRANSPORT],
  ['--proxy-mode', 'stdio', 'is not a mode; give streamable-http or sse'],
  ['--endpoint-prefix', 'tools', 'is not the path of a URL; give one such as /tools'],
  ['--host', '', NOT_A_HOST],
  ['--host', 'http://localhost', NOT_A_HOST],
  ['--host', 'localhost:80', NOT_A_HOST],
  ['--host', '256.1.1.1', NOT_A_HOST],
  ['--host', LONG, NOT_A_HOST],
  ['--host', 'no-such-host.invalid', 'cannot be resolved on this machine'],
  ['--host', '192.0.2.1', 'is not an address on which this machine can listen (EADDRNOTAVAIL)'],
  ['--proxy-port', '', NOT_A_PORT],
  ['--proxy-port', '-1', NOT_A_PORT],
  ['--proxy-port', '65536', NOT_A_PORT],
  ['--proxy-port', '8e3', NOT_A_PORT],
  ['--proxy-port', '99999999999999999999', NOT_A_PORT],
  ['--target-host', '', NOT_A_HOST],
  ['--target-host', 'a/b', NOT_A_HOST],
  ['--target-port', 'http', NOT_A_PORT],
  ['--target-port', '1.5', NOT_A_PORT],
  ['--gatehouse-ca-bundle', '@/missing', 'cannot be read: it does not exist'],
  ['--gatehouse-ca-bundle', '/dev/zero', 'cannot be read: it is not a file'],
  ['--gatehouse-ca-bundle', '@/text', 'contains no certificate in PEM form'],
];

/** Command lines whose parts contradict each other, and the sentence. */
const CONFLICTS: readonly (readonly [argv: readonly string[], sentence: string])[] = [
  [[], 'Give the server: a name of the registry, a container image, a package or a URL'],
  [['a', 'b'], 'Unexpected argument: b'],
  [['a', '--from-config', '@/text'], '--from-config cannot be given together with a server (a)'],
  [['--from-config', '@/text', '--', 'x'], '--from-config cannot be given together with arguments after --'],
  [
    ['--from-config', '@/text', '-v', '@/data:/x', '--no-isolate-network'],
    '--from-config cannot be given together with --volume, --isolate-network',
  ],
  [['a', '--replace'], '--replace has a meaning with --from-config only'],
  [['a', '--build-with', 'x<2'], '--build-with has no meaning for an image that is not built'],
  [['npx://a', '--build-with', 'x<2'], '--build-with has no meaning for npx:// packages'],
  [['a', '--isolate-network', '--network', 'host'], '--isolate-network cannot be enforced with --network host'],
  [['a', '--isolate-network', '--network', 'tools'], '--isolate-network cannot be enforced with --network tools'],
  [
    ['a', '--network', 'none', '--transport', 'streamable-http'],
    '--network none leaves no way to reach a server that speaks streamable-http',
  ],
  [
    ['a', '-p', '8080:80', '--network', 'host'],
    '--publish cannot be used with --network host, which has no ports of its own',
  ],
  [
    ['a', '-p', '80', '--network', 'none'],
    '--publish cannot be used with --network none, which has no ports of its own',
  ],
  [
    ['a', '-p', '8080:80', '-p', '8080:81'],
    '--publish 8080:81 uses host port 8080, which another --publish uses already',
  ],
  [['a', '-p', '8080:80', '--proxy-port', '8080'], '--proxy-port 8080 is also a host port of --publish'],
  [
    ['a', '-p', '8080:80', '--transport', 'stdio'],
    '--publish 8080:80 cannot be used with an isolated stdio server, because each of its sessions has a container of its own',
  ],
  [['a', '--kube-context', 'one'], '--kube-context has a meaning with --runtime kubernetes only'],
  [['a', '--kube-namespace', 'one'], '--kube-namespace has a meaning with --runtime kubernetes only'],
  [
    ['a', '--transport', 'stdio', '--target-port', '80'],
    '--target-port is for servers that listen on a port; it has no meaning with --transport stdio',
  ],
  [
    ['a', '--transport', 'stdio', '--target-host', 'localhost'],
    '--target-host is for servers that listen on a port; it has no meaning with --transport stdio',
  ],
  [
    ['a', '--transport', 'stdio', '--stateless'],
    '--stateless is for servers that listen on a port; it has no meaning with --transport stdio',
  ],
  [
    ['a', '--transport', 'streamable-http', '--proxy-mode', 'sse'],
    '--proxy-mode sse is for stdio servers; it has no meaning with --transport streamable-http',
  ],
  [
    ['https://mcp.example.com/mcp', '--proxy-mode', 'sse'],
    '--proxy-mode sse is for stdio servers; clients reach a URL with the transport of its server',
  ],
  [
    ['uvx://a', '--target-port', '80'],
    '--target-port is for servers that listen on a port; packages speak stdio by default',
  ],
  [
    ['a', '-v', '@/data:/x', '-v', '@/other:/x/'],
    '--volume @/other:/x/ mounts /x, which another --volume mounts already',
  ],
];

/** Mounts that would give a server more than its folder, and the end of the sentence. */
const MOUNTS: readonly (readonly [path: string, what: string])[] = [
  ['/', 'which would give the server the whole filesystem (/)'],
  ['/..', 'which would give the server the whole filesystem (/)'],
  ['@/root', '(/), which would give the server the whole filesystem (/)'],
  ['@/engine.sock', 'which would give the server the socket of the container engine (@/engine.sock)'],
  ['@/data.sock', '(@/engine.sock), which would give the server the socket of the container engine (@/engine.sock)'],
  ['@/data/../engine.sock', 'which would give the server the socket of the container engine (@/engine.sock)'],
  ['@/', 'which would give the server the state of Gatehouse (@/home)'],
  ['@/home', 'which would give the server the state of Gatehouse (@/home)'],
  ['@/sockets/podman.sock', 'which would give the server the socket of a container engine (@/sockets/podman.sock)'],
  ['/proc', 'which would give the server interfaces of the kernel (/proc)'],
  ['/dev/null', 'which would give the server devices of this machine'],
  ['/etc', 'which would give the server the settings of this machine (/etc)'],
  ['/etc/hostname', 'which would let the server change the settings of this machine'],
  ['/usr', 'which would let the server change programs of this machine (/usr)'],
];

describe('gatehouse run', () => {
  it.each(VALUES)('refuses %s %j', async (flag, value, problem) => {
    const server = flag === '--from-config' ? [] : ['owner/server'];
    const typed = `${flag} ${place(value)}`;
    await expectRefusal([...server, `${flag}=${value}`], `${shorten(typed)} ${problem}`);
  });

  it.each(['isolate-network', 'allow-docker-gateway', 'ignore-globally', 'print-resolved-overlays', 'foreground'])(
    'refuses --%s with a value that is neither true nor false',
    async (flag) => {
      for (const value of ['', 'yes', 'TRUE', '2'])
        await expectRefusal(['a', `--${flag}=${value}`], `--${flag}=${value} must be true or false`);
    },
  );

  it.each(['A', '../x', 'a\0', 'a  b', ' a', LONG])('refuses --group %j', (name) =>
    expectRefusal(['a', `--group=${name}`], shorten(`--group '${name}'`) + ` ${NOT_A_GROUP}`),
  );

  it('refuses a name with a NUL character', () =>
    expectRefusal(['a', '--name=a\0b'], '--name contains a NUL character'));

  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['/etc/passwd', 'etc-passwd'],
    ['..', 'workload'],
    ['a/../b', 'a----b'],
    ['__proto__', 'proto__'],
    ['-rf', 'rf'],
    ['$(id)', 'id-'],
    ['a\nError: b', 'a-Error--b', 'a\\u000aError: b'],
    ['x\u001b[2J', 'x--2J', 'x\\u001b[2J'],
  ])('changes the name %j to %s with a warning', async (name, changed, shown = name) => {
    // The network does not exist, so that the command ends after its warnings.
    const { sentence } = await harness.refuse(['a', `--name=${name}`, '--network', 'missing']);
    expect(sentence).toBe('--network missing is not a network of the container engine');
    const warning = `Warning: the name '${shown}' cannot name a container; '${changed}' is used instead`;
    expect(harness.said).toEqual([warning]);
  });

  it.each(CONFLICTS)('refuses the command line %j', (argv, sentence) => expectRefusal(argv, sentence));

  it.each(MOUNTS)('refuses --volume %s', async (path, what) => {
    const { exitCode, sentence, tryNext } = await harness.refuse(['a', '-v', place(`${path}:/x`)]);
    expect([exitCode, sentence]).toEqual([2, expect.stringMatching(/^--volume \/.* mounts \//)]);
    expect(sentence.endsWith(place(what))).toBe(true);
    expect(tryNext).not.toEqual([]);
    expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
  });

  it.each([
    [['a', '--nmae', 'x'], 'Unknown flag --nmae', '--name   instead of --nmae'],
    [
      ['a', '--isolate-netwrok=false'],
      'Unknown flag --isolate-netwrok',
      '--isolate-network   instead of --isolate-netwrok',
    ],
    [['a', '--volumes', 'x'], 'Unknown flag --volumes', '--volume   instead of --volumes'],
    [['a', '--quux'], 'Unknown flag --quux', 'arguments for the server come after --'],
    [['a', '-z'], 'Unknown flag -z', 'arguments for the server come after --'],
    [['a', '--__proto__'], 'Unknown flag --__proto__', 'arguments for the server come after --'],
  ])('refuses the unknown flag of %j with a suggestion', async (argv, sentence, advice) => {
    expect(await harness.refuse(argv)).toMatchObject({
      exitCode: 2,
      sentence,
      tryNext: expect.arrayContaining([advice]),
    });
    expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
  });
});

describe('gatehouse run with flags without effect', () => {
  const idle = 'has no effect: the image is not built; it is for uvx://, npx:// and go:// packages';

  it.each([
    [['--runtime-image', 'node:22'], `--runtime-image ${idle}`],
    [['--runtime-add-package', 'git'], `--runtime-add-package ${idle}`],
    [
      ['--allow-docker-gateway', '--isolate-network=false'],
      '--allow-docker-gateway has no effect without network isolation: the server reaches this machine anyway',
    ],
  ])('warns of %j', async (flags, warning) => {
    // The network does not exist, so that the command ends after its warnings.
    const { exitCode } = await harness.refuse(['a', ...flags, '--network', 'missing']);
    expect([exitCode, harness.said]).toEqual([2, [`Warning: ${warning}`]]);
  });

  it.each(['', 'NAME', 'NAME,target=', ',target=A', '__thv_x,target=A', 'a,target=A B'])(
    'refuses --secret %j without its text',
    async (value) => {
      const { exitCode, sentence } = await harness.refuse(['a', `--secret=${value}`]);
      expect([exitCode, sentence]).toEqual([2, expect.stringMatching(/^--secret /)]);
      expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
    },
  );
});
