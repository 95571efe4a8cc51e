import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunHarness } from './run.fixture.ts';

let harness: RunHarness;
beforeAll(async () => {
  harness = new RunHarness(process.env);
  await harness.open();
  writeFileSync(harness.at('token'), 'token\n', { mode: 0o600 });
});
afterAll(() => harness.close());
beforeEach(() => harness.reset());

const URL = 'https://mcp.example.com/mcp';
const ISSUER = ['--remote-auth-issuer', 'https://id.example.com'];
const AUTHORIZE = ['--remote-auth-authorize-url', 'https://id.example.com/authorize'];
const TOKEN = ['--remote-auth-token-url', 'https://id.example.com/token'];
const BEARER = ['--remote-auth-bearer-token', 'token'];
const BEARER_FILE = ['--remote-auth-bearer-token-file', '@/token'];
const HEADER = ['--remote-forward-headers', 'Authorization=Bearer token'];
const HEADER_SECRET = ['--remote-forward-headers-secret', 'Authorization=token'];
const ACCEPTED = ['--oidc-issuer', 'https://id.example.com', '--oidc-audience', 'mcp'];
const EXCHANGE = [...ACCEPTED, '--token-exchange-url', 'https://id.example.com/token'];

const REMOTE_ONLY: readonly (readonly string[])[] = [
  ['--remote-auth'],
  BEARER,
  BEARER_FILE,
  ['--remote-forward-headers', 'X-Key=key'],
  ['--remote-forward-headers-secret', 'X-Key=key'],
];

const CONTAINER_ONLY: readonly (readonly string[])[] = [
  ['--env', 'A=b'],
  ['--env-file', '@/token'],
  ['--env-file-dir', '@/'],
  ['--secret', 'token,target=TOKEN'],
  ['--volume', '@/token:/token'],
  ['--publish', '8080:80'],
  ['--network', 'host'],
  ['--permission-profile', 'none'],
  ['--isolate-network'],
  ['--allow-docker-gateway'],
  ['--image-verification', 'warn'],
  ['--print-resolved-overlays'],
  ['--memory', '1g'],
  ['--cpus', '1'],
  ['--pids-limit', '100'],
  ['--target-host', '127.0.0.1'],
  ['--target-port', '80'],
  ['--build-with', 'x<2'],
  ['--ca-cert', '@/token'],
  ['--runtime-image', 'node:22'],
  ['--runtime-add-package', 'git'],
];

const SIGN_IN: readonly (readonly string[])[] = [
  ISSUER,
  AUTHORIZE,
  TOKEN,
  ['--remote-auth-client-id', 'client'],
  ['--remote-auth-client-secret', 'secret'],
  ['--remote-auth-client-secret-file', '@/token'],
  ['--remote-auth-scopes', 'read'],
  ['--remote-auth-scope-param-name', 'scope'],
  ['--remote-auth-resource', 'https://mcp.example.com'],
  ['--remote-auth-callback-port', '8666'],
  ['--remote-auth-skip-browser'],
  ['--remote-auth-timeout', '30s'],
];

/** Command lines whose flags contradict each other, and the sentence. */
const CONFLICTS: readonly (readonly [flags: readonly string[], sentence: string])[] = [
  ...(['--runtime', '--kube-context', '--kube-namespace'] as const).map((flag): [string[], string] => [
    ['--runtime', 'kubernetes', ...(flag === '--runtime' ? [] : [flag, 'x'])],
    '--runtime is for servers in containers: the proxy of a remote server runs on this machine, which has its credentials',
  ]),
  [['--transport', 'stdio'], '--transport stdio has no meaning for a remote server; give streamable-http or sse'],
  [['--', 'x'], 'an argument after -- has no meaning for a remote server, which runs already'],
  [['--remote-auth', ...BEARER], '--remote-auth and a bearer token both set Authorization; give one of them'],
  [['--remote-auth', ...BEARER_FILE], '--remote-auth and a bearer token both set Authorization; give one of them'],
  [
    [...BEARER, ...BEARER_FILE],
    '--remote-auth-bearer-token cannot be given together with --remote-auth-bearer-token-file',
  ],
  ...[HEADER, HEADER_SECRET].flatMap((header) =>
    [['--remote-auth'], BEARER, BEARER_FILE].map((credential): [string[], string] => [
      [...credential, ...header],
      `${credential[0] ?? ''} and ${header[0] ?? ''} both set Authorization`,
    ]),
  ),
  [['--remote-auth', ...EXCHANGE], '--remote-auth and --token-exchange-url both set Authorization'],
  [
    ['--remote-auth', '--remote-auth-client-secret', 's', '--remote-auth-client-secret-file', '@/token'],
    '--remote-auth-client-secret cannot be given together with --remote-auth-client-secret-file',
  ],
  [
    ['--remote-auth', '--remote-auth-client-secret', 's'],
    '--remote-auth-client-secret needs --remote-auth-client-id, which names the client',
  ],
  ...[AUTHORIZE, TOKEN].map((endpoint): [string[], string] => [
    ['--remote-auth', ...ISSUER, ...endpoint],
    `${endpoint[0] ?? ''} cannot be given together with --remote-auth-issuer, whose metadata has the endpoints`,
  ]),
  [['--remote-auth', ...AUTHORIZE], '--remote-auth-authorize-url needs --remote-auth-token-url beside it'],
  [
    ['--remote-auth', ...AUTHORIZE, ...TOKEN, '--remote-auth-client-id', 'c', '--remote-auth-scopes', 'openid'],
    '--remote-auth-scopes openid is for OpenID providers, which are named by --remote-auth-issuer',
  ],
  [
    ['--remote-auth', ...AUTHORIZE, ...TOKEN],
    '--remote-auth-authorize-url needs --remote-auth-client-id: a client registers itself at an issuer only',
  ],
];

/** Expects the exit code 2 and exactly this sentence, and that nothing was started or written. */
async function expectRefusal(argv: readonly string[], sentence: string): Promise<void> {
  const refusal = await harness.refuse(argv.map((word) => harness.place(word)));
  expect([refusal.exitCode, refusal.sentence]).toEqual([2, harness.place(sentence)]);
  expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
}

describe('gatehouse run of a remote server', () => {
  it.each(CONFLICTS)('refuses %j', (flags, sentence) => expectRefusal([URL, ...flags], sentence));

  it.each(CONTAINER_ONLY)('refuses %s', (flag, ...values) =>
    expectRefusal([URL, flag, ...values], `${flag} is for servers in containers; a URL is a remote server`),
  );

  it.each(SIGN_IN)('refuses %s without --remote-auth', (flag, ...values) =>
    expectRefusal([URL, flag, ...values], `${flag} has no effect without --remote-auth, which turns the sign-in on`),
  );
});

describe('gatehouse run of an image', () => {
  it.each([...REMOTE_ONLY, ...SIGN_IN])('refuses %s', (flag, ...values) =>
    expectRefusal(['owner/server', flag, ...values], `${flag} is for remote servers; give the URL of one`),
  );
});
