import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunHarness } from './run.fixture.ts';

let harness: RunHarness;
beforeAll(async () => {
  harness = new RunHarness(process.env);
  await harness.open();
  writeFileSync(harness.at('token'), 'token\n', { mode: 0o600 });
  writeFileSync(harness.at('tools.json'), JSON.stringify({ toolsOverride: { read: { name: 'open' } } }));
  writeFileSync(harness.at('audit.json'), JSON.stringify({ enabled: false }));
});
afterAll(() => harness.close());
beforeEach(() => harness.reset());

const ID = 'https://id.example.com';
const ISSUER = ['--oidc-issuer', ID, '--oidc-audience', 'mcp'];
const EXCHANGE = [...ISSUER, '--token-exchange-url', `${ID}/token`];
const EXCHANGE_CLIENT = ['--token-exchange-client-id', 'client'];
const EXCHANGE_SECRET = ['--token-exchange-client-secret', 'secret'];
const EXCHANGE_FILE = ['--token-exchange-client-secret-file', '@/token'];
const COLLECTOR = ['--otel-endpoint', 'https://otel.example.com:4318'];
const PROMETHEUS = '--otel-enable-prometheus-metrics-path';
const UNTRACED = '--otel-tracing-enabled=false';

/** The flags that need accepted tokens, each with a value. */
const OF_TOKENS: readonly (readonly string[])[] = [
  ['--oidc-audience', 'mcp'],
  ['--oidc-client-id', 'client'],
  ['--oidc-client-secret', 'secret'],
  ['--oidc-introspection-url', `${ID}/introspect`],
  ['--oidc-scopes', 'read'],
  ['--oidc-insecure-allow-http'],
  ['--jwks-allow-private-ip'],
  ['--jwks-auth-token-file', '@/token'],
  ['--resource-url', 'https://mcp.example.com/mcp'],
  ['--token-exchange-url', `${ID}/token`],
];

/** The flags that need an exchange of tokens. */
const OF_EXCHANGE: readonly (readonly string[])[] = [
  EXCHANGE_CLIENT,
  EXCHANGE_SECRET,
  EXCHANGE_FILE,
  ['--token-exchange-audience', 'api'],
  ['--token-exchange-scopes', 'read'],
  ['--token-exchange-subject-token-type', 'id_token'],
  ['--token-exchange-header-name', 'X-Token'],
];

/** The flags that need a collector. */
const OF_COLLECTOR: readonly (readonly string[])[] = [
  ['--otel-insecure'],
  ['--otel-headers', 'X-Key=key'],
  ['--otel-sampling-rate', '1'],
  ['--otel-env-vars', 'STAGE'],
  ['--otel-tracing-enabled'],
  ['--otel-metrics-enabled'],
  ['--otel-use-legacy-attributes'],
];

/** The flags that need a collector or metrics for Prometheus. */
const OF_TELEMETRY: readonly (readonly string[])[] = [
  ...OF_COLLECTOR,
  ['--otel-service-name', 'mine'],
  ['--otel-custom-attributes', 'team=blue'],
  ['--otel-metrics-on-transport-port'],
];

/** Command lines whose flags contradict each other, and the sentence. */
const CONFLICTS: readonly (readonly [flags: readonly string[], sentence: string])[] = [
  [
    ['--transport', 'sse', '--stateless'],
    '--stateless is for streamable-http servers; it has no meaning with --transport sse',
  ],
  ...[['--stateless'], ['--target-port', '80'], ['--target-host', 'localhost']].map((flag): [string[], string] => [
    ['--proxy-mode', 'sse', ...flag],
    `${flag[0] ?? ''} is for servers that listen on a port; --proxy-mode sse is for stdio servers`,
  ]),
  [
    [...ISSUER, '--oidc-client-secret', 'secret'],
    '--oidc-client-secret needs --oidc-client-id, which names the client',
  ],
  [['--oidc-issuer', 'http://id.example.com'], '--oidc-issuer http://id.example.com must begin with https://'],
  [[...ISSUER, '--oidc-jwks-url', 'https://10.0.0.1/'], '--oidc-jwks-url https://10.0.0.1/ is a private address'],
  [
    [...ISSUER, '--oidc-introspection-url', 'https://10.0.0.1/'],
    '--oidc-introspection-url https://10.0.0.1/ is a private address',
  ],
  [
    [...ISSUER, '--token-exchange-url', 'https://10.0.0.1/'],
    '--token-exchange-url https://10.0.0.1/ is a private address',
  ],
  ...[
    ['--transport', 'stdio'],
    ['--proxy-mode', 'sse'],
  ].map((flags): [string[], string] => [
    [...EXCHANGE, ...flags],
    '--token-exchange-url is for servers on HTTP: a stdio server has no headers for a token',
  ]),
  [
    [...EXCHANGE, ...EXCHANGE_CLIENT, ...EXCHANGE_SECRET, ...EXCHANGE_FILE],
    '--token-exchange-client-secret cannot be given together with --token-exchange-client-secret-file',
  ],
  ...[EXCHANGE_SECRET, EXCHANGE_FILE].map((secret): [string[], string] => [
    [...EXCHANGE, ...secret],
    `${secret[0] ?? ''}${secret === EXCHANGE_FILE ? ' @/token' : ''} needs --token-exchange-client-id, which names the client`,
  ]),
  [[PROMETHEUS, '--otel-headers', 'X-Key=key'], '--otel-headers has no effect without --otel-endpoint'],
  [
    [...COLLECTOR, '--otel-metrics-on-transport-port'],
    `--otel-metrics-on-transport-port has no effect without ${PROMETHEUS}`,
  ],
  [
    [...COLLECTOR, UNTRACED, '--otel-metrics-enabled=false'],
    `${COLLECTOR.join(' ')} would get nothing with ${UNTRACED} and --otel-metrics-enabled=false`,
  ],
  ...[['--otel-sampling-rate', '1'], ['--otel-env-vars', 'STAGE'], ['--otel-use-legacy-attributes']].map(
    (flag): [string[], string] => [
      [...COLLECTOR, UNTRACED, ...flag],
      `${flag[0] ?? ''} has no effect with ${UNTRACED}`,
    ],
  ),
  [
    ['--tools', 'read', '--tools-override', '@/tools.json'],
    '--tools read names a tool that --tools-override renames to open',
  ],
  [
    ['--enable-audit', '--audit-config', '@/audit.json'],
    '--enable-audit contradicts enabled of --audit-config @/audit.json, which is false',
  ],
];

/** Expects the exit code 2 and exactly this sentence, and that nothing was started or written. */
async function expectRefusal(flags: readonly string[], sentence: string): Promise<void> {
  const refusal = await harness.refuse(['owner/server', ...flags].map((word) => harness.place(word)));
  expect([refusal.exitCode, refusal.sentence]).toEqual([2, harness.place(sentence)]);
  expect([harness.changes, harness.listFiles()]).toEqual([[], []]);
}

describe('gatehouse run with flags of the proxy', () => {
  it.each(CONFLICTS)('refuses %j', (flags, sentence) => expectRefusal(flags, sentence));

  it.each(OF_TOKENS)('refuses %s without accepted tokens', (flag, ...values) =>
    expectRefusal(
      [flag, ...values],
      `${flag} has no effect without --oidc-issuer or --oidc-jwks-url, which name the accepted tokens`,
    ),
  );

  it.each(OF_EXCHANGE)('refuses %s without an exchange of tokens', (flag, ...values) =>
    expectRefusal(
      [...ISSUER, flag, ...values],
      `${flag} has no effect without --token-exchange-url, which turns token exchange on`,
    ),
  );

  it.each(OF_TELEMETRY)('refuses %s without telemetry', (flag, ...values) =>
    expectRefusal([flag, ...values], `${flag} has no effect without --otel-endpoint`),
  );

  it.each(OF_COLLECTOR)('refuses %s with metrics for Prometheus alone', (flag, ...values) =>
    expectRefusal([PROMETHEUS, flag, ...values], `${flag} has no effect without --otel-endpoint`),
  );

  const warnings: [string[], string][] = [
    [
      ['--oidc-issuer', ID],
      'without --oidc-audience, tokens that the issuer gives for other services are accepted too',
    ],
    [
      [...ISSUER, '--oidc-client-id', 'client', '--oidc-client-secret', 'secret'],
      '--oidc-client-secret has no effect without --oidc-introspection-url',
    ],
    [
      [...COLLECTOR, '--otel-insecure'],
      '--otel-insecure sends on http, which others can read, although --otel-endpoint begins with https://',
    ],
    [
      [PROMETHEUS],
      '/metrics is also on the port of the proxy, where all its clients can read it; --otel-metrics-on-transport-port=false, a later default, leaves it on the diagnostics port alone',
    ],
  ];
  it.each(warnings)('warns of %j', async (flags, warning) => {
    // The network does not exist, so that the command ends after its warnings.
    await harness.refuse(['owner/server', ...flags, '--network', 'missing']);
    expect(harness.said).toEqual([`Warning: ${warning}`]);
  });
});
