import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { draft, published } from './connector-scene.ts';
import { createEnvironment } from './enterprise-manager.ts';
import { dumpDatabase, findLeaks } from './leaks.ts';
import { toolCall } from './metering-samples.ts';
import { bearer, header } from './secret-scene.ts';

const createCanary = () => `canary${randomBytes(15).toString('hex')}`;
const GATEWAY = '/v1/gateways/local/connectors';
const PROVIDERS = '/v1/connector-identity-providers';
const CALLS = '/gateway/v1/gateways/local/tool-calls';

/** Request bodies that each stage of reading refuses; each contains the value. */
const createRefusedBodies = (value: string): [string, string][] => [
  ['application/json', `{"name":"n","value":"${value}"`],
  ['application/json', `{"name":"n","value":"${value}","value":"${value}"}`],
  ['application/json', JSON.stringify({ name: 'n', value: { nested: value } })],
  ['application/json', JSON.stringify({ name: 'n', value, extra: value })],
  ['application/json', JSON.stringify({ name: 'n', value: value.repeat(2_000) })],
  ['application/json', JSON.stringify({ name: 'n', value: `${value}\u0000` })],
  ['application/json', JSON.stringify([value])],
  ['text/plain', value],
  ['application/x-www-form-urlencoded', `name=n&value=${value}`],
];

describe('secret values', () => {
  let issuer: TestIssuer;
  let database: TestDatabase;
  const servers: Server[] = [];
  const canaries: Record<string, string> = {};
  const sinks: Record<string, string> = {};
  /** Values that one response contains on purpose. */
  const given: string[] = [];

  const serve = async (createResponse: (text: string, headers: NodeJS.Dict<string | string[]>) => [number, string]) => {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const whole = Buffer.concat(pieces);
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
        const [status, body] = createResponse(text.toString('latin1'), request.headers);
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    issuer = await startIssuer();
    database = await createDatabase({ name: 'enterprise-manager-canary' });
    const telemetry: string[] = [];
    const collector = await serve((text) => {
      telemetry.push(text);
      return [200, '{}'];
    });
    const echo = await serve((text, headers) => [500, JSON.stringify({ headers, text })]);
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const keyEncryptionKey = randomBytes(32).toString('base64');
    const cursorKey = createCanary();
    const service = await startProcess({
      app: 'enterprise-manager',
      env: {
        ...createEnvironment(issuer, database),
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'debug',
        CURSOR_KEY: cursorKey,
        KEY_ENCRYPTION_KEYS: `1:${keyEncryptionKey}`,
        ALLOW_LOOPBACK_UPSTREAMS: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      },
      readyUrl: `${url}/readyz`,
    });
    canaries['key-encryption key'] = Buffer.from(keyEncryptionKey, 'base64').toString('hex');
    canaries['key-encryption key as configured'] = keyEncryptionKey;
    canaries['cursor key'] = cursorKey;

    const tokens = {
      admin: await issuer.token({ subject: 'admin', roles: ['admin'] }),
      gateway: await issuer.token({ subject: 'gateway', roles: ['gateway'] }),
      alice: await issuer.token({ subject: 'alice' }),
    };
    const responses: string[] = [];
    const sendRequest = async (
      who: keyof typeof tokens,
      method: string,
      path: string,
      body?: string,
      contentType = 'application/json',
    ) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens[who]}`, ...(body !== undefined && { 'content-type': contentType }) },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { status: response.status, text, all: `${[...response.headers].join('\n')}\n${text}` };
    };
    const sendRecorded = async (...request: Parameters<typeof sendRequest>) => {
      const response = await sendRequest(...request);
      responses.push(response.all);
      return response;
    };
    const plantCanary = (name: string) => (canaries[name] = createCanary());
    const getSecret = (text: string) => (JSON.parse(text) as { secret?: string }).secret ?? '';
    /** Sends a signed test delivery of an alert, and waits for its outcome. */
    const sendOne = async (hook: string) => {
      const { text } = await sendRecorded('admin', 'POST', `${hook}/test`);
      const { id } = JSON.parse(text) as { id: string };
      const readState = async () =>
        (JSON.parse((await sendRequest('admin', 'GET', `${hook}/deliveries/${id}`)).text) as { state: string }).state;
      await eventually(async () => (await readState()) === 'failed', 'the target was asked');
    };

    const secret = JSON.parse(
      (
        await sendRecorded(
          'admin',
          'POST',
          '/v1/managed-secrets',
          JSON.stringify({ name: 'planted', value: plantCanary('first value') }),
        )
      ).text,
    ) as { id: string };
    const path = `/v1/managed-secrets/${secret.id}`;
    await sendRecorded('admin', 'PUT', path, JSON.stringify({ value: plantCanary('second value') }));
    for (const body of [draft(bearer(secret.id)), draft(header('x-api-key', secret.id))])
      await sendRecorded('admin', 'POST', GATEWAY, JSON.stringify(body));
    for (const endpoint of [`${echo}/mcp`, 'http://127.0.0.1:1/mcp'])
      for (const auth of [bearer(secret.id), header('x-api-key', secret.id)])
        for (const transport of ['streamable-http', 'sse'])
          await sendRecorded('admin', 'POST', GATEWAY, JSON.stringify(published(endpoint, { ...auth, transport })));
    const provider = { name: 'canary', provider_type: 'oauth2' };
    const endpoints = { authorization_endpoint: `${echo}/authorize`, token_endpoint: `${echo}/token` };
    const client = { client_id: 'canary', client_secret: { managed_secret_id: secret.id }, allow_private_ips: true };
    const made = await sendRecorded(
      'admin',
      'POST',
      PROVIDERS,
      JSON.stringify({ ...provider, oauth2_config: { ...endpoints, ...client } }),
    );
    const { id: provider_id } = JSON.parse(made.text) as { id: string };
    const signedIn = { auth: { type: 'upstreamInject', upstream_inject: { provider_id } } };
    await sendRecorded('admin', 'POST', GATEWAY, JSON.stringify(published(`${echo}/mcp`, signedIn)));
    const otherProvider = { oidc_config: { issuer_url: echo, ...client } };
    await sendRecorded(
      'admin',
      'POST',
      PROVIDERS,
      JSON.stringify({ name: 'asked', provider_type: 'oidc', ...otherProvider }),
    );
    await sendRecorded('admin', 'GET', `${PROVIDERS}/${provider_id}`);
    const password = plantCanary('an argument of a tool call');
    for (const more of [
      { arguments: { password } },
      { result: password },
      { arguments_sha256: password },
      { groups: [{ id: 'g', password }] },
    ])
      expect(
        (await sendRecorded('gateway', 'POST', CALLS, JSON.stringify({ calls: [toolCall(), toolCall(more)] }))).text,
      ).toContain('"rejected"');
    await sendRecorded('admin', 'GET', '/v1/metering/usage/export?gateway_id=local');
    const value = plantCanary('a value in refused bodies');
    for (const [contentType, body] of createRefusedBodies(value))
      for (const [method, where] of [
        ['POST', '/v1/managed-secrets'],
        ['PUT', path],
      ] as const)
        expect((await sendRecorded('admin', method, where, body, contentType)).status).toBeGreaterThanOrEqual(400);
    await sendRecorded('alice', 'POST', '/v1/managed-secrets', JSON.stringify({ name: 'n', value }));
    await sendRecorded(
      'admin',
      'POST',
      GATEWAY,
      JSON.stringify(draft({ auth: { type: 'bearerToken', bearer_token: { token: value } } })),
    );
    await sendRecorded('admin', 'PUT', path, JSON.stringify({ value: `${plantCanary('an unsendable value')}\n` }));
    const superuser = new pg.Client({ connectionString: database.adminUrl });
    await superuser.connect();
    await superuser.query(`UPDATE connectors SET status = 'available'`);
    await superuser.end();
    const revealed = await sendRequest('gateway', 'POST', `/gateway/v1/gateways/local/secrets/${secret.id}/reveal`);
    given.push(revealed.text);
    const key = await sendRequest('alice', 'POST', '/v1/keys', JSON.stringify({ name: 'canary' }));
    given.push(key.text);
    const [keySecret] = /gh_[a-z2-7]+_[A-Za-z0-9]+/.exec(key.text) ?? [];
    canaries['secret of a virtual key'] = keySecret ?? '';
    const scim = await sendRequest(
      'admin',
      'POST',
      '/v1/scim-tokens',
      JSON.stringify({ issuer_id: 'local', name: 'canary' }),
    );
    given.push(scim.text);
    canaries['SCIM token'] = getSecret(scim.text);
    await sendRecorded('admin', 'GET', '/v1/scim-tokens');
    const target = { name: 'canary', thresholds: [80], url: `${echo}/hook`, allow_private_ips: true };
    const alert = await sendRequest('admin', 'POST', '/v1/budgets/alerts', JSON.stringify(target));
    const { id: alertId } = JSON.parse(alert.text) as { id: string };
    const hook = `/v1/budgets/alerts/${alertId}`;
    given.push(alert.text);
    canaries['secret of an alert'] = getSecret(alert.text);
    await sendOne(hook);
    const rotated = await sendRequest('admin', 'POST', `${hook}/rotate-secret`);
    given.push(rotated.text);
    canaries['new secret of an alert'] = getSecret(rotated.text);
    await sendOne(hook);
    for (const name of ['secret of an alert', 'new secret of an alert'])
      canaries[`${name} as bytes`] = Buffer.from(canaries[name]?.slice('whsec_'.length) ?? '', 'base64').toString(
        'hex',
      );
    for (const where of [hook, `${hook}/deliveries`, '/v1/budgets/alerts']) await sendRecorded('admin', 'GET', where);
    for (const where of [
      '/v1/managed-secrets',
      path,
      '/v1/key-encryption',
      GATEWAY,
      '/v1/audit-events?limit=200',
      '/api/doc/openapi.json',
    ])
      await sendRecorded('admin', 'GET', where);
    await sendRecorded('gateway', 'GET', '/gateway/v1/gateways/local/snapshot');
    await sendRecorded('alice', 'GET', '/v1/keys');
    await sendRecorded('admin', 'DELETE', path);

    sinks['answers'] = responses.join('\n');
    sinks['metrics'] = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await service.stop();
    sinks['log'] = `${service.stdout()}\n${service.stderr()}`;
    sinks['database'] = await dumpDatabase(database.adminUrl);
    sinks['telemetry'] = telemetry.join('\n');
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await issuer.close();
    await database.drop();
  });

  it('are in the responses that reveal them, and were used', () => {
    expect(given.join()).toContain(canaries['second value']);
    expect(Object.values(canaries).every((value) => value.length >= 32)).toBe(true);
    expect([canaries['secret of a virtual key'], canaries['SCIM token'], canaries['secret of an alert']]).toEqual([
      expect.stringMatching(/^gh_/),
      expect.stringMatching(/^ghscim_/),
      expect.stringMatching(/^whsec_/),
    ]);
  });

  it('are searched for in sinks that have content', () => {
    expect(sinks['log']).toMatch(/"level":/);
    expect(sinks['log']).toContain('managed-secrets');
    expect(sinks['metrics']).toMatch(/^# TYPE/m);
    expect(sinks['telemetry']).toContain('managed-secrets');
    expect(sinks['metrics']).toMatch(/^gatehouse_budget_alerts_deliveries_total\{.*result="failed".*\} 2$/m);
    expect(sinks['database']).toMatch(/"ciphertext":/);
    expect(sinks['answers']).toContain('"current_version":1');
  });

  it('are in no other sink, in any encoding', () => {
    expect(findLeaks(sinks, canaries)).toEqual([]);
  });

  it.each(['answers', 'metrics', 'log', 'database', 'telemetry'])('are detected in %s in any encoding', (sink) => {
    const value = canaries['first value'] ?? '';
    const bytes = Buffer.from(value);
    for (const leaked of [
      value,
      bytes.toString('hex').toUpperCase(),
      Buffer.from(`{"value":"${value}"}`).toString('base64'),
      Buffer.from(`x${value}y`).toString('base64url'),
      Buffer.from(`xy${value}z`).toString('base64'),
    ]) {
      const spoilt = { ...sinks, [sink]: `${sinks[sink] ?? ''} before${leaked}after` };
      expect(findLeaks(spoilt, canaries)).toContainEqual(expect.objectContaining({ sink, canary: 'first value' }));
    }
  });
});
