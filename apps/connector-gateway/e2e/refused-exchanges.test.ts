import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import type { OtherResponse } from '@gatehouse/testing/exchange-server';
import { dumpDatabase } from './support/dump.ts';
import { type ExchangeKind, type ExchangeScene, ExchangeWorld } from './support/exchange-world.ts';
import { modern } from './support/raw.ts';
import { eventually, type Gateway } from './support/world.ts';

const KINDS = ['tokenExchange', 'obo', 'xaa', 'awsSts'] as const;
/** A text of the provider that must not be repeated anywhere. */
const CANARY = 'canary-of-the-provider';

let exchanges: ExchangeWorld;
let gateway: Gateway;
const scenes = new Map<ExchangeKind, ExchangeScene>();
const lines: string[] = [];
let subjects = 0;

beforeAll(async () => {
  exchanges = await ExchangeWorld.start();
  for (const kind of KINDS) scenes.set(kind, await exchanges.add(kind));
  gateway = await exchanges.world.gateway(
    { LOG_LEVEL: 'debug', AWS_ENDPOINT_URL_STS: scenes.get('awsSts')!.provider.origin },
    { write: (line) => lines.push(line) },
  );
}, 60_000);
afterAll(() => exchanges.close());

/** A caller who is new at the connector, so that no earlier credential or failure counts. */
async function createCaller(kind: ExchangeKind, claims: Record<string, unknown> = { groups: ['readers'] }) {
  subjects += 1;
  const subject = `person-${subjects}`;
  const { connector, upstream } = scenes.get(kind)!;
  exchanges.addUser(subject);
  const token = await exchanges.world.token(subject, { claims });
  const send = async (method: string, params?: Record<string, unknown>) =>
    (await modern(`${gateway.url}/mcp/${connector.slug}`, token, method, params)).json.result;
  const call = async () => {
    const result = await send('tools/call', { name: upstream.tools.echo, arguments: { text: 'hello' } });
    return JSON.stringify(result);
  };
  const list = () => send('tools/list');
  const getStatus = async () => {
    const api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
    const { body } = await api.call<{ connection_status: string }>(
      'GET /v1/users/me/gateway/connectors/{connector_id}/status',
      { token, path: { connector_id: connector.id } },
    );
    return body.connection_status;
  };
  return { subject, list, call, getStatus };
}

const RESPONSES: [string, OtherResponse][] = [
  ['garbage', { body: `{"access_token":"${CANARY}` }],
  ['a page', { type: 'text/html', body: `<p>${CANARY}</p>` }],
  ['another token type', { body: { access_token: CANARY, token_type: 'mac', expires_in: 60 } }],
  ['no token', { body: { token_type: 'Bearer', note: CANARY } }],
  ['a token of 1 MB', { body: { access_token: CANARY.repeat(50_000), token_type: 'Bearer', expires_in: 60 } }],
  ['a token of 20 KB', { body: { access_token: CANARY.repeat(1_000), token_type: 'Bearer', expires_in: 60 } }],
  ['a token with a line break', { body: { access_token: `${CANARY}\r\nx: y`, token_type: 'Bearer', expires_in: 60 } }],
  ['a redirect', { status: 307, headers: { location: `http://127.0.0.1:9/${CANARY}` } }],
  ['an outage', { status: 503, body: CANARY }],
  ['a refusal', { status: 400, body: { error: CANARY, error_description: CANARY } }],
  ['a hostile document', { type: 'text/xml', body: `<!DOCTYPE a [<!ENTITY e "${CANARY}">]><a>&e;` }],
];

describe.each(KINDS)('A connector with %s whose token endpoint fails', (kind) => {
  let scene: ExchangeScene;
  beforeEach(() => {
    scene = scenes.get(kind)!;
  });
  afterEach(() => {
    scene.provider.answer = undefined;
    scene.issuer.answer = undefined;
  });

  it.each(RESPONSES)('is an error of the call and one audit event for %s', async (what, response) => {
    const { subject, call } = await createCaller(kind);
    const before = scene.guard.requests.length;
    const at = lines.length;
    scene.provider.answer = response;
    const text = await call();
    expect(text).toContain('"isError":true');
    expect(text).toContain(scene.connector.name);
    expect(scene.guard.requests.length).toBe(before);
    await call();
    const events = await exchanges.world.sql(
      `SELECT id FROM audit_events WHERE subject = '${subject}' AND object_id = '${scene.connector.id}'`,
    );
    expect(events).toHaveLength(what === 'an outage' ? 0 : 1);
    for (const sink of [text, lines.slice(at).join(), await dumpDatabase(exchanges.world.database.url)])
      expect(sink).not.toContain(CANARY);
  });

  it('works again after an outage', async () => {
    const { call } = await createCaller(kind);
    scene.provider.answer = { status: 503, body: '' };
    expect(await call()).toContain('does not answer at the moment');
    scene.provider.answer = undefined;
    await eventually(async () => (await call()).includes('hello') || undefined, 'the call succeeds');
  });

  it('is left out of a list', async () => {
    const { list } = await createCaller(kind);
    scene.provider.answer = { status: 503, body: '' };
    expect((await list())?.['tools']).toEqual([]);
  });
});

describe.each(['tokenExchange', 'obo', 'xaa'] as const)('A connector with %s', (kind) => {
  it.each(['consent_required', 'interaction_required', 'invalid_grant'])(
    'needs the person after %s, until an exchange succeeds',
    async (error) => {
      const { provider, connector } = scenes.get(kind)!;
      const { subject, call, list, getStatus } = await createCaller(kind);
      expect(await getStatus()).toBe('ready');
      provider.answer = { status: 400, body: { error } };
      expect(await call()).toContain(`needs your consent at its provider`);
      expect(await getStatus()).toBe('needs_auth');
      expect((await list())?.['_meta']).toMatchObject({
        'gatehouse.dev/unavailable': [expect.objectContaining({ reason: 'needs your consent at its provider' })],
      });
      const audit = await exchanges.world.sql<{ object_id: string }>(
        `SELECT object_id FROM audit_events WHERE subject = '${subject}' AND outcome = 'forbidden'`,
      );
      expect(audit).toEqual([{ object_id: connector.id }]);
      provider.answer = undefined;
      // A failure is kept for two seconds.
      await eventually(async () => (await call()).includes('hello') || undefined, 'the call succeeds');
      expect(await getStatus()).toBe('ready');
    },
  );
});

describe('A token endpoint', () => {
  it('that names no lifetime issues a usable token', async () => {
    const { issuer } = scenes.get('tokenExchange')!;
    issuer.lifetime = undefined;
    const { call } = await createCaller('tokenExchange');
    expect(await call()).toContain('hello');
    issuer.lifetime = 300;
  });

  it('that is too slow is an error of the call', async () => {
    const { provider } = scenes.get('obo')!;
    const { call } = await createCaller('obo');
    provider.answer = { delayMs: 60_000 };
    expect(await call()).toContain('"isError":true');
    provider.answer = undefined;
  }, 30_000);

  it.each(['http://127.0.0.1:9/token', 'https://10.0.0.1/token', 'https://169.254.169.254/token'])(
    'at the private address %s is not dialled without the permission',
    async (token_url) => {
      const scene = await exchanges.add('tokenExchange', { token_url }, `private-${subjects}`);
      scenes.set('tokenExchange', scene);
      await eventually(() => exchanges.world.manager.isPublishedAt(1) || undefined, 'the gateway knows the connector');
      const { call } = await createCaller('tokenExchange');
      expect(await call()).toContain('gave no answer that the gateway can use');
    },
  );
});

describe('A connector with awsSts', () => {
  it('is refused for a person without a role', async () => {
    const { provider } = scenes.get('awsSts')!;
    const before = provider.requests.length;
    const { call } = await createCaller('awsSts', { groups: ['others'] });
    expect(await call()).toContain('has no AWS role for you');
    expect(provider.requests.length).toBe(before);
  });
});
