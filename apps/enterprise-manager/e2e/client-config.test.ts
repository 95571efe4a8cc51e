import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AUTHORITY, SERVER } from '../src/client-config/document/certificates.fixture.ts';
import { accepted, askConfig, on, putConfig } from './config-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const GET = 'GET /v1/client-config';
const PUT = 'PUT /v1/client-config';
const PRIVATE = '-----BEGIN EC PRIVATE KEY-----';
const createDirective = (value: unknown) => ({ value, enforcement: 'default' });

describe('/v1/client-config', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  beforeEach(() => putConfig(manager, {}));
  afterAll(() => manager.close());

  const put = (body: unknown, headers: Record<string, string> = {}) =>
    manager.client.call<{ error: string }>(PUT, { token: manager.tokens.admin, body, headers });
  const read = (headers: Record<string, string> = {}) =>
    manager.client.call(GET, { token: manager.tokens.auditor, headers });

  it('returns what was written, with the overrides by precedence', async () => {
    const [first, second] = [await makeGroup(manager), await makeGroup(manager)];
    const config = {
      registry: createDirective({
        api_url: 'https://catalog.example.com/v0',
        server_api_url: 'http://[::1]:9/',
        allow_private_ip: true,
      }),
      non_registry_servers: on(false, 'enforced'),
      telemetry: createDirective({
        otel_endpoint: 'https://otel.test',
        sampling_rate: 0.1,
        headers: { 'x-team': 'a' },
      }),
      ca_certificate: createDirective({ pem: AUTHORITY, url: 'https://ca.test/bundle.pem' }),
      build_env: { PIP_INDEX_URL: 'https://pypi.test/simple' },
      playground: on(true),
      help_menu: on(true),
      assistant: on(false),
      gateway: createDirective({ api_url: 'https://gateway.example.com', proxy_url: 'http://egress.example.com:3128' }),
      degraded_mode: { policy: 'block_new', grace_period: '1h30m', message: 'Nothing new for now.' },
    };
    const overrides = [
      { group_id: second.toUpperCase(), precedence: 7, config: { playground: on(false) } },
      { group_id: first, precedence: 2, config: {} },
    ];
    const written = await put({ config, overrides });
    expect([written.status, written.body]).toEqual([
      200,
      { config, overrides: [overrides[1], { ...overrides[0], group_id: second }] },
    ]);
    const found = await read();
    expect([found.body, found.headers.get('etag')]).toEqual([written.body, written.headers.get('etag')]);
  });

  it('keeps the text of the sampling rate and signs its number', async () => {
    for (const rate of ['0.1234567890123456789', '0.10', '1E-1', '0.0']) {
      const body = `{"config":{"telemetry":{"value":{"sampling_rate":${rate}},"enforcement":"default"}},"overrides":[]}`;
      const { status } = await manager.client.call(PUT, { token: manager.tokens.admin, raw: { body } });
      expect([rate, status]).toEqual([rate, 200]);
      const found = await fetch(`${manager.baseUrl}/v1/client-config`, {
        headers: { authorization: `Bearer ${manager.tokens.admin}` },
      });
      expect(await found.text()).toBe(body);
      const { text } = await askConfig(manager, manager.tokens.alice);
      const { config } = await accepted(manager, text);
      expect(config).toMatchObject({ telemetry: { value: { sampling_rate: Number(rate) } } });
    }
  });

  it.each([
    ['sampling_rate', '1.00000000000000001e0', 200],
    ['sampling_rate', '1e400', 400],
    ['sampling_rate', '-0.10', 400],
    ['headers', '1.50', 400],
  ])('answers a %s by %s with %i', async (name, number, expected) => {
    const value = `{"${name}":${number}}`;
    const body = `{"config":{"telemetry":{"value":${value},"enforcement":"default"}},"overrides":[]}`;
    const { status } = await manager.client.call(PUT, { token: manager.tokens.admin, raw: { body } });
    expect(status).toBe(expected);
  });

  it('returns 413 for more certificates than a client accepts', async () => {
    const pem = AUTHORITY.repeat(Math.ceil((512 * 1024) / AUTHORITY.length) + 1);
    const { status, body } = await put({ config: { ca_certificate: createDirective({ pem }) }, overrides: [] });
    expect([status, body.error]).toEqual([413, 'config.ca_certificate.value.pem: must have at most 524288 characters']);
  });

  it('is changed only in the state that If-Match names', async () => {
    const tags: string[] = [];
    for (const value of [true, false, true]) {
      const { headers } = await put({ config: { playground: on(value) }, overrides: [] });
      tags.push(headers.get('etag') ?? '');
    }
    // The third write has the content of the first write but a new ETag.
    expect(new Set(tags).size).toBe(3);
    expect((await put({ config: {}, overrides: [] }, { 'if-match': tags[0]! })).status).toBe(412);
    await putConfig(manager, {});
    const etag = (await read()).headers.get('etag') ?? '';
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    const first = await put({ config: { playground: on(true) }, overrides: [] }, { 'if-match': etag });
    expect([first.status, first.headers.get('etag') === etag]).toEqual([200, false]);
    const stale = await put({ config: {}, overrides: [] }, { 'if-match': etag });
    expect([stale.status, stale.body.error]).toEqual([412, expect.stringContaining('If-Match')]);
    expect((await read()).body).toEqual({ config: { playground: on(true) }, overrides: [] });
  });

  it('accepts one of two parallel writes with the same ETag', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    const both = await Promise.all(
      [true, false].map((value) => put({ config: { help_menu: on(value) }, overrides: [] }, { 'if-match': etag })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('records the names of changed fields without values in the audit trail', async () => {
    const group = await makeGroup(manager);
    const headers = { 'x-request-id': `config ${randomUUID()}` };
    const body = {
      config: { build_env: { CANARY: 'canary-value' } },
      overrides: [{ group_id: group, precedence: 1, config: { playground: on(true) } }],
    };
    await put(body, headers);
    const rows = await manager.sql<{ changed_fields: string[] }>(
      'SELECT changed_fields, a::text AS whole FROM audit_events a WHERE request_id = $1',
      [headers['x-request-id']],
    );
    expect(rows.map(({ changed_fields }) => changed_fields)).toEqual([['config.build_env', `overrides/${group}`]]);
    expect(JSON.stringify(rows)).not.toContain('canary');
    const again = { 'x-request-id': `config ${randomUUID()}` };
    await put(body, again);
    expect(await manager.sql('SELECT 1 FROM audit_events WHERE request_id = $1', [again['x-request-id']])).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['config.surprise', { surprise: true }],
    ['config.playground.enforcement', { playground: { value: true } }],
    ['config.playground.enforcement', { playground: { value: true, enforcement: 'maybe' } }],
    ['config.playground.value', { playground: { value: 'yes', enforcement: 'default' } }],
    ['config.registry.value', { registry: createDirective({}) }],
    ['config.registry.value.api_url', { registry: createDirective({ api_url: 'catalog.example.com' }) }],
    ['config.registry.value.api_url', { registry: createDirective({ api_url: 'ftp://catalog.example.com' }) }],
    ['config.registry.value.api_url', { registry: createDirective({ api_url: 'javascript:alert(1)' }) }],
    [
      'config.registry.value.api_url',
      { registry: createDirective({ api_url: 'https://user:secret@catalog.example.com' }) },
    ],
    ['config.registry.value.api_url', { registry: createDirective({ api_url: 'https://catalog.example.com/#part' }) }],
    [
      'config.registry.value.api_url',
      { registry: createDirective({ api_url: `https://catalog.example.com/${'a'.repeat(2100)}` }) },
    ],
    ['config.gateway.value.proxy_url', { gateway: createDirective({ proxy_url: '' }) }],
    ['config.telemetry.value.sampling_rate', { telemetry: createDirective({ sampling_rate: 1.1 }) }],
    ['config.telemetry.value.sampling_rate', { telemetry: createDirective({ sampling_rate: '1' }) }],
    ['config.telemetry.value.headers', { telemetry: createDirective({ headers: { 'x team': 'a' } }) }],
    ['config.telemetry.value.headers', { telemetry: createDirective({ headers: { 'x-team': 'a\r\nx-more: b' } }) }],
    ['config.ca_certificate.value.pem', { ca_certificate: createDirective({ pem: 'none' }) }],
    [
      'config.ca_certificate.value.pem',
      { ca_certificate: createDirective({ pem: AUTHORITY.replace('MIIB', 'AAAA') }) },
    ],
    ['config.ca_certificate.value.pem', { ca_certificate: createDirective({ pem: SERVER }) }],
    ['config.ca_certificate.value.url', { ca_certificate: createDirective({ url: 'http://ca.test/bundle.pem' }) }],
    ['config.ca_certificate.value.pem', { ca_certificate: createDirective({ pem: `# ${PRIVATE}\n${AUTHORITY}` }) }],
    ['config.build_env.KEY', { build_env: { KEY: `${PRIVATE}\\nsecret` } }],
    ['config.telemetry.value.headers.x-key', { telemetry: createDirective({ headers: { 'x-key': PRIVATE } }) }],
    ['config.registry.value.api_url', { registry: createDirective({ api_url: 'file:///etc/passwd' }) }],
    ['config.build_env', { build_env: { 'NOT A NAME': '1' } }],
    ['config.build_env.A', { build_env: { A: 'a\u0007' } }],
    ['config.degraded_mode.grace_period', { degraded_mode: { policy: 'warn', grace_period: '1d', message: 'a' } }],
    ['config.degraded_mode.grace_period', { degraded_mode: { policy: 'warn', grace_period: '721h', message: 'a' } }],
    ['config.degraded_mode.message', { degraded_mode: { policy: 'warn', grace_period: '1h', message: 'a\nb' } }],
    ['config.degraded_mode.policy', { degraded_mode: { policy: 'stop', grace_period: '1h', message: 'a' } }],
  ])('names %s if it is invalid, and changes nothing', async (field, config) => {
    const before = (await read()).body;
    const { status, body } = await put({ config, overrides: [] });
    expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
    expect(body.error).not.toContain('secret');
    expect((await read()).body).toEqual(before);
  });

  it('accepts one override for each existing group', async () => {
    const group = await makeGroup(manager);
    const unknown = randomUUID();
    const createOverride = (group_id: string, precedence: unknown, config: unknown = {}) => ({
      group_id,
      precedence,
      config,
    });
    const refused: [number, string, unknown[]][] = [
      [422, 'overrides[1].group_id: there is no group', [createOverride(group, 1), createOverride(unknown, 2)]],
      [422, 'overrides[1].group_id: is duplicate', [createOverride(group, 1), createOverride(group, 2)]],
      [422, 'overrides[1].precedence', [createOverride(group, 1), createOverride(await makeGroup(manager), 1)]],
      [422, 'overrides[0].config.assistant', [createOverride(group, 1, { assistant: on(true) })]],
      [400, 'overrides[0].precedence', [createOverride(group, -1)]],
      [400, 'overrides[0].precedence', [createOverride(group, 1.5)]],
      [400, 'overrides[0].group_id', [createOverride('all', 1)]],
      [400, 'overrides[0].config.surprise', [createOverride(group, 1, { surprise: 1 })]],
    ];
    for (const [status, sentence, overrides] of refused) {
      const response = await put({ config: { assistant: on(false, 'enforced') }, overrides });
      expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(sentence)]);
    }
    expect((await read()).body).toEqual({ config: {}, overrides: [] });
  });

  it('returns 413 for more than 1 MiB', async () => {
    const build_env = Object.fromEntries(Array.from({ length: 128 }, (_, n) => [`V${n}`, 'x'.repeat(4000)]));
    const groups = await Promise.all(Array.from({ length: 3 }, () => makeGroup(manager)));
    const overrides = groups.map((group_id, precedence) => ({ group_id, precedence, config: { build_env } }));
    expect((await put({ config: { build_env }, overrides: overrides.slice(0, 1) })).status).toBe(200);
    expect((await put({ config: { build_env }, overrides })).status).toBe(413);
  });
});
