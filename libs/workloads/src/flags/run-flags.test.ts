import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { createRunConfig } from '../configuration/create-run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { parseRunFlags, type RunFlags } from './run-flags.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-flags-'));
  mkdirSync(join(folder, 'data'));
  mkdirSync(join(folder, 'envs', 'sub'), { recursive: true });
  writeFileSync(join(folder, 'one.env'), '# comment\n\nexport A=file\nB = x \nQ="kept"\nno equals\n\uFEFF');
  writeFileSync(join(folder, 'bad.env'), 'A B=1\n');
  writeFileSync(join(folder, 'envs', '1.env'), 'A=dir1\nC=dir1\n');
  writeFileSync(join(folder, 'envs', '2.env'), 'C=dir2\n');
  writeFileSync(join(folder, 'envs', '.hidden'), 'C=hidden\n');
  const files = join(folder, 'files');
  mkdirSync(join(files, 'sub'), { recursive: true });
  writeFileSync(join(files, 'large'), 'A=1\n'.repeat(2_600_000));
  writeFileSync(join(files, 'latin1'), Buffer.from([0x41, 0x3d, 0xe9]));
  writeFileSync(join(files, 'nul'), 'A=\0\n');
  writeFileSync(join(files, 'long'), `A=${'x'.repeat(131_072)}`);
  writeFileSync(join(files, 'windows'), '\uFEFFA=1\r\nexport B="2"\r\n');
  symlinkSync('loop', join(files, 'loop'));
  execFileSync('mkfifo', [join(files, 'pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (flags: RunFlags, image = 'owner/server', args: string[] = []) =>
  parseRunFlags(image, args, flags, folder);
function refusal(flags: RunFlags, image?: string, args?: string[]): WorkloadError {
  try {
    parse(flags, image, args);
  } catch (error) {
    if (error instanceof WorkloadError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

/** Invalid values by flag. The error message begins with the flag. */
const REFUSED: [string, RunFlags][] = [
  ...[
    '',
    'x',
    'K',
    '=v',
    'a/b/c=v',
    '-a=v',
    'a-=v',
    'Aß=v',
    'a=-v',
    'a=v w',
    `${'k'.repeat(64)}=v`,
    `a=${'v'.repeat(64)}`,
    'UP.per/a=v',
  ].map((label): [string, RunFlags] => ['--label', { label: [label] }]),
  ['--label', { label: ['gatehouse=mine'] }],
  ['--label', { label: ['gatehouse-name=other'] }],
  ['--label', { label: ['gatehouse.name=other'] }],
  ['--label', { label: ['gatehouse/name=other'] }],
  ['--label', { label: ['Gatehouse-name=other'] }],
  ['--target-port', { targetPort: '80', transport: 'stdio' }],
  ['--target-host', { targetHost: 'localhost', transport: 'stdio' }],
  ['--env-file', { envFile: '/dev/zero' }],
  ['--env-file', { envFile: '/proc/self/environ\0' }],
  ...['', 'KEY', '=value', 'A B=1', 'A\tB=1', 'A\nB=1', 'A=\0'].map((env): [string, RunFlags] => [
    '--env',
    { env: [env] },
  ]),
  ['--env-file', { envFile: '/nonexistent/file' }],
  ['--env-file', { envFile: '/' }],
  ['--env-file-dir', { envFileDir: '/nonexistent/folder' }],
  ...[
    '',
    'data',
    'data:',
    ':/x',
    'data:x',
    'data:/',
    'data:/x/..',
    'data:/x:rw',
    'data:/x:ro:ro',
    'nothing:/x',
    'data:/x;y',
    '$HOME:/x',
    'a\0b:/x',
  ].map((volume): [string, RunFlags] => ['--volume', { volume: [volume] }]),
  ['--volume', { volume: ['data:/x', 'envs:/x/'] }],
  ...[
    '',
    '0',
    '65536',
    '80:',
    ':80',
    '80:0',
    '0:80',
    '1:2:3',
    '127.0.0.1:80:80',
    '80/udp',
    '-1:80',
    '8e1',
    '08',
    '８０',
  ].map((publish): [string, RunFlags] => ['--publish', { publish: [publish] }]),
  ['--publish', { publish: ['80:81', '80:82'] }],
  ['--publish', { publish: ['80:81'], network: 'host' }],
  ...['a b', '-x', 'x/y', '../x', 'x\n'].map((network): [string, RunFlags] => ['--network', { network }]),
  ['--network', { network: 'none', transport: 'streamable-http' }],
  ['--network', { network: 'none', transport: 'sse' }],
  ['--stateless', { stateless: true, transport: 'sse' }],
  ...['http', 'stdio', ' sse'].map((proxyMode): [string, RunFlags] => ['--proxy-mode', { proxyMode }]),
  ['--proxy-mode', { proxyMode: 'sse', transport: 'streamable-http' }],
  ...['tools', '/a//b', '/a/../b', '/a?b', '/ü', '//host'].map((endpointPrefix): [string, RunFlags] => [
    '--endpoint-prefix',
    { endpointPrefix },
  ]),
  ...['', 'x', '-1', '2gg', '2 g', '1m', '1e9', '2bb', 'unlimited', '9999999t', '٢g'].map(
    (memory): [string, RunFlags] => ['--memory', { memory }],
  ),
  ...['', 'x', '-1', '1e1', '0.001', '2000', '1,5', '½'].map((cpus): [string, RunFlags] => ['--cpus', { cpus }]),
  ...['', 'x', '-1', '1.5', '99999999', '0x10'].map((pidsLimit): [string, RunFlags] => ['--pids-limit', { pidsLimit }]),
  ...['http', 'Stdio', 'Sse', ' stdio', 'streamable_http'].map((transport): [string, RunFlags] => [
    '--transport',
    { transport },
  ]),
  ...['', ' ', '256.1.1.1', '1.2.3', 'a b', 'a_b!', 'http://x', 'x:80', '-a'].map((host): [string, RunFlags] => [
    '--host',
    { host },
  ]),
  ...['', '-1', '65536', '1.5', '0x10', 'http', ' 80', '080', '99999999999999999999'].flatMap(
    (port): [string, RunFlags][] => [
      ['--proxy-port', { proxyPort: port }],
      ['--target-port', { targetPort: port }],
    ],
  ),
  ['--proxy-port', { proxyPort: '8080', publish: ['8080:80'] }],
  ['--target-host', { targetHost: 'a/b' }],
  ...[
    '',
    'localhost',
    '*',
    'null',
    'https://*.example.com',
    'https://a/path',
    'https://u:p@a',
    'https://',
    'https://a?x',
  ].map((origin): [string, RunFlags] => ['--allowed-origins', { allowedOrigins: [origin] }]),
  ['--stateless', { stateless: true, transport: 'stdio' }],
  ...['-1', '1.5', '8MiB', '', '1e6'].map((size): [string, RunFlags] => [
    '--max-request-body-size',
    { maxRequestBodySize: size },
  ]),
  ...['-1s', '5', 'soon', '', '1d', '600h', '9999999999h'].flatMap((time): [string, RunFlags][] => [
    ['--proxy-read-timeout', { proxyReadTimeout: time }],
    ['--session-ttl', { sessionTtl: time }],
    ['--request-timeout', { requestTimeout: time }],
    ['--start-timeout', { startTimeout: time }],
  ]),
  ['--name', { name: 'a\0b' }],
];

describe('parseRunFlags', () => {
  it.each(REFUSED)('refuses %s %j and names the flag', (flag, flags) => {
    const failure = refusal(flags);
    expect(failure.code).toBe('usage');
    expect(failure.message.startsWith(flag)).toBe(true);
  });

  it.each([
    ['uvx://mcp-server-time@1.0', 'mcp-server-time', 'uvx://mcp-server-time@1.0'],
    ['npx://@a/b', 'a-b', 'npx://@a/b'],
    ['go://./x/server', 'x-server', 'go:///w/x/server'],
    ['go://.', 'w-workload', 'go:///w'],
  ])('takes the name of the workload from %s', (source, name, stored) => {
    const request = parseRunFlags(source, [], {}, '/w');
    expect(request.name).toBe(name);
    const resolved = { containerName: name, engine: 'unix:///x', host: '127.0.0.1', networkRange: [] };
    expect(createRunConfig(request, resolved)).toMatchObject({ image: '', source: stored, transport: 'stdio' });
  });

  it.each(['', 'Foo/Bar', 'foo://x', 'UVX://x', 'a b', '../x', 'http://', '--name'])(
    'refuses the source %j',
    (source) => {
      expect(refusal({}, source).code).toBe('usage');
    },
  );

  it('refuses a NUL in an argument for the server', () => expect(refusal({}, 'a', ['x\0']).code).toBe('usage'));

  it('never shows the value of a variable', () => {
    expect(refusal({ env: ['TO KEN=hunter2'] }).message).not.toContain('hunter2');
  });

  it('applies the documented defaults', () => {
    expect(parse({})).toMatchObject({
      name: 'owner-server',
      host: '127.0.0.1',
      transport: undefined,
      network: undefined,
      proxyPort: undefined,
      maxRequestBodyBytes: 8_388_608,
      proxyReadTimeoutMs: 30_000,
      sessionTtlMs: 7_200_000,
      requestTimeoutMs: undefined,
      startTimeoutMs: 60_000,
      allowDockerGateway: false,
      ignoreGlobally: true,
      warnings: [],
    });
  });

  it('reads the flags of isolation and of ignore files', () => {
    const flags = { isolateNetwork: false, allowDockerGateway: true, ignoreGlobally: false };
    expect(parse(flags)).toMatchObject(flags);
  });

  it('reads the flags of the proxy', () => {
    const sizes = { maxRequestBodySize: '1024', stateless: true };
    const times = { proxyReadTimeout: '5s', sessionTtl: '1h30m', requestTimeout: '2m', startTimeout: '90s' };
    expect(parse({ ...sizes, ...times })).toMatchObject({
      ...{ maxRequestBodyBytes: 1024, stateless: true, proxyReadTimeoutMs: 5_000, sessionTtlMs: 5_400_000 },
      ...{ requestTimeoutMs: 120_000, startTimeoutMs: 90_000 },
    });
  });

  it('parses memory in the units of container engines', () => {
    const bytes = (memory: string) => parse({ memory }).limits.memoryBytes;
    expect([
      bytes('2g'),
      bytes('2GiB'),
      bytes('2gb'),
      bytes('2048M'),
      bytes('2147483648'),
      bytes('2147483648b'),
    ]).toEqual(Array.from({ length: 6 }, () => 2 * 1024 ** 3));
    expect(bytes('1.5g')).toBe(1.5 * 1024 ** 3);
  });

  it('applies the default for zero', () => {
    const zero = {
      maxRequestBodySize: '0',
      proxyReadTimeout: '0',
      sessionTtl: '0s',
      requestTimeout: '0',
      startTimeout: '0s',
      proxyPort: '0',
    };
    expect(parse(zero)).toEqual(parse({}));
  });

  it('prefers -e to the file, and the file to the folder', () => {
    const { environment, warnings } = parse({
      env: ['A=flag', 'E=', 'F=a=b'],
      envFile: join(folder, 'one.env'),
      envFileDir: join(folder, 'envs'),
    });
    expect(environment).toEqual({ A: 'flag', B: ' x', C: 'dir2', E: '', F: 'a=b', Q: '"kept"' });
    expect(warnings).toEqual([expect.stringContaining('line 6')]);
  });

  it('refuses an invalid name in a file and names the line', () => {
    expect(refusal({ envFile: join(folder, 'bad.env') }).message).toContain('line 1');
  });

  it('makes host paths absolute and normalizes container paths', () => {
    expect(parse({ volume: ['data:/a//b/', './envs:/c:ro'] }).mounts).toEqual([
      { source: join(folder, 'data'), target: '/a/b', readOnly: false },
      { source: join(folder, 'envs'), target: '/c', readOnly: true },
    ]);
  });

  it('accepts upper-case transports, bridge networks, bracketed addresses and origins in any case', () => {
    expect(parse({ transport: 'STDIO' }).transport).toBe('stdio');
    expect(parse({ network: 'bridge' }).network).toBeUndefined();
    expect(parse({ host: '[::1]' }).host).toBe('::1');
    expect(parse({ allowedOrigins: ['HTTPS://App.Example.com:8443'] }).allowedOrigins).toEqual([
      'https://app.example.com:8443',
    ]);
  });

  it('warns when a name is changed', () => {
    expect(parse({ name: 'my server' })).toMatchObject({
      name: 'my-server',
      warnings: [expect.stringContaining('my-server')],
    });
  });

  it.each(['large', 'pipe', 'latin1', 'loop', 'nul', 'sub', 'long'])('refuses the environment file %s', (name) => {
    const failure = refusal({ envFile: join(folder, 'files', name) });
    expect(failure.code).toBe('usage');
    expect(failure.message).toMatch(/^--env/);
  });

  it('accepts environment files of other systems, and variables of any name', () => {
    const read = (name: string) => ({ ...parse({ envFile: join(folder, 'files', name) }).environment });
    expect(read('windows')).toEqual({ A: '1', B: '"2"' });
    const { environment } = parse({ env: ['__proto__=x', 'constructor=y', 'ß=z'] });
    expect(JSON.stringify(environment)).toBe('{"__proto__":"x","constructor":"y","ß":"z"}');
  });

  it('refuses more variables than the system allows', () => {
    const env = Array.from({ length: 20 }, (_, index) => `V${index}=${'x'.repeat(100_000)}`);
    expect(refusal({ env }).message).toMatch(/^--env/);
    expect(parse({ env: env.slice(0, 5) }).environment).toHaveProperty('V4');
  });

  it('begins every refusal with the flag, for any value', () => {
    const single: Record<string, keyof RunFlags> = {
      '--name': 'name',
      '--env-file': 'envFile',
      '--env-file-dir': 'envFileDir',
      '--network': 'network',
      '--memory': 'memory',
      '--cpus': 'cpus',
      '--pids-limit': 'pidsLimit',
      '--transport': 'transport',
      '--host': 'host',
      '--proxy-port': 'proxyPort',
      '--target-host': 'targetHost',
      '--target-port': 'targetPort',
      '--max-request-body-size': 'maxRequestBodySize',
      '--proxy-read-timeout': 'proxyReadTimeout',
      '--session-ttl': 'sessionTtl',
      '--request-timeout': 'requestTimeout',
      '--start-timeout': 'startTimeout',
    };
    const repeated: Record<string, keyof RunFlags> = {
      '--label': 'label',
      '--env': 'env',
      '--volume': 'volume',
      '--publish': 'publish',
      '--allowed-origins': 'allowedOrigins',
    };
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.integer().map(String),
      fc.webUrl(),
      fc.constantFrom('stdio', '1:2', 'a=b', 'data:/x:ro', '30s', '--json', '\0', '\uFEFF', 'x'.repeat(200_000)),
    );
    const typed = fc
      .tuple(fc.constantFrom(...Object.keys(single), ...Object.keys(repeated)), value)
      .map(([flag, text]): [string, RunFlags] => {
        const one = single[flag];
        return [flag, one === undefined ? { [repeated[flag] ?? '']: [text] } : { [one]: text }];
      });
    fc.assert(
      fc.property(typed, ([flag, flags]) => {
        try {
          const request = parse(flags);
          expect(request.name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{1,99}$/);
          for (const time of [request.startTimeoutMs, request.sessionTtlMs, request.proxyReadTimeoutMs]) {
            expect(time > 0 && time < 2 ** 31).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof WorkloadError)) throw error;
          expect(error.code).toBe('usage');
          expect(error.message.startsWith(flag)).toBe(true);
        }
      }),
      { numRuns: 3000 * effort },
    );
  });

  it('accepts or refuses with a usage error, for any command line', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const flags = fc.record(
      {
        name: text,
        label: fc.array(text, { maxLength: 2 }),
        env: fc.array(text, { maxLength: 2 }),
        volume: fc.array(text, { maxLength: 2 }),
        publish: fc.array(text, { maxLength: 2 }),
        network: text,
        transport: text,
        host: text,
        proxyPort: text,
        allowedOrigins: fc.array(text, { maxLength: 2 }),
        maxRequestBodySize: text,
        sessionTtl: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(text, flags, (source, typed) => {
        try {
          parseRunFlags(source, [], typed, folder);
        } catch (error) {
          expect(error).toBeInstanceOf(WorkloadError);
          expect((error as WorkloadError).code).toBe('usage');
        }
      }),
      { numRuns: 500 * effort },
    );
  });
});
