import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makeAvailable } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSettings } from './gateway-settings-samples.ts';

const GET = 'GET /v1/gateways/{gateway_id}/settings';
const PUT = 'PUT /v1/gateways/{gateway_id}/settings';
const SNAPSHOT = 'GET /gateway/v1/gateways/{gateway_id}/snapshot';

describe('/v1/gateways/{gateway_id}/settings', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ gateways: ['other'] });
  }, 60_000);
  beforeEach(async () => {
    expect((await put(createSettings())).status).toBe(200);
  });
  afterAll(() => manager.close());

  const put = (body: unknown, headers: Record<string, string> = {}, gateway_id = 'local') =>
    manager.client.call<{ error: string }>(PUT, {
      token: manager.tokens.admin,
      path: { gateway_id },
      body,
      headers,
    });
  const read = (gateway_id = 'local', headers: Record<string, string> = {}) =>
    manager.client.call<{ error: string }>(GET, { token: manager.tokens.auditor, path: { gateway_id }, headers });
  const readSnapshot = (headers: Record<string, string> = {}, wait?: number) =>
    manager.client.call<{ settings: unknown }>(SNAPSHOT, {
      token: manager.tokens.gateway,
      path: { gateway_id: 'local' },
      headers,
      query: { wait },
    });
  const getTag = (response: { headers: Headers }) => response.headers.get('etag') ?? '';

  it('has no limits before the first write', async () => {
    const { status, body } = await read('other');
    expect([status, body]).toEqual([200, createSettings()]);
  });

  it('returns what was written, also for single connectors', async () => {
    const { id } = await makeAvailable(manager);
    const settings = createSettings({
      limits: { calls_per_minute_per_person: 60, max_result_bytes: 1_073_741_824 },
      connectors: { [id]: { limits: { calls_per_minute_per_tool: 5, max_argument_bytes: null } } },
    });
    const written = await put({ ...settings, connectors: { [id.toUpperCase()]: settings.connectors[id] } });
    expect([written.status, written.body]).toEqual([200, settings]);
    const found = await read();
    expect([found.body, getTag(found)]).toEqual([settings, getTag(written)]);
    expect((await read('other')).body).toEqual(createSettings());
  });

  it('is changed only in the state that If-Match names', async () => {
    const etag = getTag(await read());
    expect((await read('local', { 'if-none-match': etag })).status).toBe(304);
    const limited = createSettings({ limits: { sessions_per_person: 3 } });
    const both = await Promise.all([put(limited, { 'if-match': etag }), put(limited, { 'if-match': etag })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    await put(createSettings());
    expect(getTag(await read())).not.toBe(etag);
    expect((await put(limited, { 'if-match': etag })).status).toBe(412);
    expect((await read()).body).toEqual(createSettings());
  });

  it('reaches a gateway that waits for its snapshot', async () => {
    const before = await readSnapshot();
    expect(before.body.settings).toEqual(createSettings());
    const waiting = readSnapshot({ 'if-none-match': getTag(before) }, 30);
    const settings = createSettings({ limits: { calls_per_minute_per_tool: 7 } });
    await put(settings);
    const next = await waiting;
    expect([next.status, next.body.settings]).toEqual([200, settings]);
  });

  it('loses the settings of a deleted connector', async () => {
    const { id } = await makeAvailable(manager);
    await put(createSettings({ connectors: { [id]: { limits: { sessions_per_person: 1 } } } }));
    const etag = getTag(await read());
    await manager.client.call('DELETE /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', id },
    });
    const found = await read();
    expect([found.body, getTag(found) === etag]).toEqual([createSettings(), false]);
    expect((await readSnapshot()).body.settings).toEqual(createSettings());
  });

  it('records the names of changed settings in the audit trail, and nothing without a change', async () => {
    const { id } = await makeAvailable(manager);
    const headers = { 'x-request-id': `settings ${randomUUID()}` };
    const settings = createSettings({
      limits: { max_argument_bytes: 1_000 },
      connectors: { [id]: { limits: { calls_per_minute_per_person: 9 } } },
    });
    const readAudit = () =>
      manager.sql<{ object_id: string; changed_fields: string[] }>(
        'SELECT object_id, changed_fields FROM audit_events WHERE request_id = $1',
        [headers['x-request-id']],
      );
    await put(settings, headers);
    await put(settings, headers);
    expect(await readAudit()).toEqual([
      {
        object_id: 'local',
        changed_fields: [`connectors.${id}.limits.calls_per_minute_per_person`, 'limits.max_argument_bytes'],
      },
    ]);
  });

  it.each(['GET', 'PUT'])('answers %s of an unknown gateway, or one without connectors, with 404', async (method) => {
    const send = (gateway: string) => (method === 'GET' ? read(gateway) : put(createSettings(), {}, gateway));
    expect((await send('nowhere')).status).toBe(404);
    const { status, body } = await send('local-ai');
    expect([status, body.error]).toEqual([404, expect.stringContaining('name a connector gateway')]);
  });

  const CONNECTOR = randomUUID();
  it.each<[string, Parameters<typeof createSettings>[0]]>([
    ['limits.calls_per_minute_per_person', { limits: { calls_per_minute_per_person: 0 } }],
    ['limits.calls_per_minute_per_tool', { limits: { calls_per_minute_per_tool: 1.5 } }],
    ['limits.concurrent_calls_per_connector', { limits: { concurrent_calls_per_connector: '5' } }],
    ['limits.sessions_per_person', { limits: { sessions_per_person: undefined } }],
    ['limits.max_argument_bytes', { limits: { max_argument_bytes: -1 } }],
    ['limits.max_result_bytes', { limits: { max_result_bytes: 1_073_741_825 } }],
    ['limits.surprise', { limits: { surprise: 1 } }],
    ['content.tool_pinning', { content: { tool_pinning: 'maybe' } }],
    ['content.redaction_patterns[0]', { content: { redaction_patterns: [7] } }],
    ['connectors.everything', { connectors: { everything: {} } }],
    [`connectors.${CONNECTOR}.limits.surprise`, { connectors: { [CONNECTOR]: { limits: { surprise: 1 } } } }],
  ])('answers an invalid %s with 400', async (field, given) => {
    const { status, body } = await put(createSettings(given));
    expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
  });

  it.each(['limits', 'content', 'connectors'] as const)('answers settings without %s with 400', async (name) => {
    const { [name]: _, ...others } = createSettings();
    const { status, body } = await put(others);
    expect([status, body.error]).toEqual([400, expect.stringContaining(name)]);
  });

  it('accepts tool pinning for the gateway and for one connector', async () => {
    const { id } = await makeAvailable(manager);
    const settings = createSettings({
      content: { tool_pinning: 'warn' },
      connectors: { [id]: { content: { tool_pinning: 'quarantine' } } },
    });
    expect((await put(settings)).status).toBe(200);
    expect((await read()).body).toEqual(settings);
    expect((await put(createSettings())).status).toBe(200);
  });

  it('keeps redaction patterns and elicitation hosts, also of one connector', async () => {
    const { id } = await makeAvailable(manager);
    const content = {
      redaction_patterns: ['secret-[0-9]+'],
      elicitation_hosts: ['login.example.com', '*.example.org:8443'],
    };
    const settings = createSettings({ content, connectors: { [id]: { content: { elicitation_hosts: [] } } } });
    expect((await put(settings)).status).toBe(200);
    expect((await read()).body).toEqual(settings);
    await put(createSettings());
  });

  it('answers a pattern or a host that no gateway can apply with 422 and its place', async () => {
    const { id } = await makeAvailable(manager);
    const own = `connectors.${id}.`;
    const given: [string, Parameters<typeof createSettings>[0]][] = [
      ['content.redaction_patterns[1]: is not a regular', { content: { redaction_patterns: ['a', '(?=b)'] } }],
      ['content.redaction_patterns[0]: matches the empty', { content: { redaction_patterns: ['a*'] } }],
      ['content.elicitation_hosts[0]: is not a host', { content: { elicitation_hosts: ['https://example.com'] } }],
      [`${own}content.redaction_patterns[0]`, { connectors: { [id]: { content: { redaction_patterns: ['('] } } } }],
      [`${own}content.elicitation_hosts[0]`, { connectors: { [id]: { content: { elicitation_hosts: ['*.com'] } } } }],
    ];
    for (const [sentence, settings] of given) {
      const { status, body } = await put(createSettings(settings));
      expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
    }
    expect((await read()).body).toEqual(createSettings());
  });

  it('answers settings of an unknown connector, or of another gateway, with 422', async () => {
    const elsewhere = await makeAvailable(manager, {}, 'other');
    for (const id of [randomUUID(), elsewhere.id]) {
      const { status, body } = await put(createSettings({ connectors: { [id]: {} } }));
      expect([status, body.error]).toEqual([422, expect.stringContaining(`connectors.${id}`)]);
    }
  });
});
