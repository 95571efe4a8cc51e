import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalText, computeDigest, type JsonObject } from '@gatehouse/signed-config/canonical';
import { decodeProtectedHeader } from 'jose';
import { CLI } from './config-samples.ts';
import { accepted, askConfig, fetchKeySet, on, putConfig } from './config-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const CONFIG = 'GET /api/v1beta/config';

describe('the configuration envelope', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const readConfig = async (subject: 'alice' | 'bob' | 'stranger') => {
    const { text } = await askConfig(manager, manager.tokens[subject]);
    return (await accepted(manager, text, { subject })).config;
  };

  it('is signed for the user and the client type and valid for 24 hours', async () => {
    await putConfig(manager, {
      playground: on(true),
      telemetry: { value: { sampling_rate: 1e-7 }, enforcement: 'default' },
    });
    const { status, body, headers } = await manager.client.call<
      JsonObject & Record<'signature' | 'issued_at' | 'not_after', string>
    >(CONFIG, { token: manager.tokens.alice, headers: CLI });
    expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([
      200,
      'private, no-cache',
      'Authorization, X-Client-Type',
    ]);
    const { signature, etag, ...signed } = body;
    expect(signed).toEqual({
      schema_version: '1',
      config: { playground: on(true), telemetry: { value: { sampling_rate: 1e-7 }, enforcement: 'default' } },
      issued_at: expect.any(String),
      not_after: expect.any(String),
      refresh_interval: '5m',
    });
    expect(Date.parse(body.not_after) - Date.parse(body.issued_at)).toBe(86_400_000);
    expect(etag).toBe(computeDigest({ config: body['config'] ?? {} }));
    expect(decodeProtectedHeader({ protected: signature.split('..')[0] ?? '' })).toEqual({
      alg: 'ES256',
      kid: expect.any(String),
      typ: 'gatehouse-config+jws',
      aud: 'gatehouse-cli',
      sub: canonicalText([manager.issuer.issuer, 'alice']),
      iat: Math.floor(Date.parse(body.issued_at) / 1000),
      b64: false,
      crit: ['b64'],
    });
    await expect(accepted(manager, JSON.stringify(body))).resolves.toMatchObject({ refresh_interval_ms: 300_000 });
  });

  it('is rejected by a client of another user or of another type', async () => {
    const { text } = await askConfig(manager, manager.tokens.alice);
    await expect(accepted(manager, text, { subject: 'bob' })).rejects.toMatchObject({ code: 'wrong_subject' });
    await expect(accepted(manager, text, { audience: 'gatehouse-desktop' })).rejects.toMatchObject({
      code: 'wrong_audience',
    });
    for (const type of ['gatehouse-desktop', 'gatehouse-cloud-ui']) {
      const other = await askConfig(manager, manager.tokens.alice, { 'x-client-type': type });
      await expect(accepted(manager, other.text, { audience: type })).resolves.toBeDefined();
    }
  });

  it('is rejected for the same subject of another issuer', async () => {
    const { text } = await askConfig(manager, manager.tokens.alice);
    const other = { baseUrl: manager.baseUrl, issuer: { ...manager.issuer, issuer: 'https://other.example' } };
    await expect(accepted(other, text)).rejects.toMatchObject({ code: 'wrong_subject' });
  });

  it('contains the overrides of direct and indirect groups, and only the base for a caller without an entry', async () => {
    const [inner, outer, other] = [
      await makeGroup(manager, 'alice'),
      await makeGroup(manager),
      await makeGroup(manager, 'bob'),
    ];
    await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      token: manager.tokens.admin,
      path: { group_id: outer, child_id: inner },
    });
    await putConfig(manager, { playground: on(false), help_menu: on(false), assistant: on(false, 'enforced') }, [
      { group_id: outer, precedence: 5, config: { playground: on(true), help_menu: on(true) } },
      { group_id: inner, precedence: 6, config: { help_menu: on(false), build_env: { A: '1' } } },
      { group_id: other, precedence: 1, config: { playground: on(true, 'enforced') } },
    ]);
    const base = { playground: on(false), help_menu: on(false), assistant: on(false, 'enforced') };
    expect(await readConfig('alice')).toEqual({
      ...base,
      playground: on(true),
      help_menu: on(true),
      build_env: { A: '1' },
    });
    expect(await readConfig('bob')).toEqual({ ...base, playground: on(true, 'enforced') });
    expect(await readConfig('stranger')).toEqual(base);
    await manager.client.call('DELETE /v1/groups/{group_id}/users/{user_id}', {
      token: manager.tokens.admin,
      path: { group_id: inner, user_id: await manager.findUserId('alice') },
    });
    expect(await readConfig('alice')).toEqual(base);
  });

  it('contains only the base for a deactivated user, and no override of a deleted group', async () => {
    const group = await makeGroup(manager, 'bob');
    await putConfig(manager, { playground: on(false) }, [
      { group_id: group, precedence: 1, config: { playground: on(true) } },
    ]);
    expect(await readConfig('bob')).toEqual({ playground: on(true) });
    await manager.sql(`UPDATE users SET active = FALSE WHERE subject = 'bob'`);
    expect(await readConfig('bob')).toEqual({ playground: on(false) });
    await manager.sql(`UPDATE users SET active = TRUE WHERE subject = 'bob'`);
    await manager.client.call('DELETE /v1/groups/{id}', { token: manager.tokens.admin, path: { id: group } });
    expect(await readConfig('bob')).toEqual({ playground: on(false) });
    const { body } = await manager.client.call('GET /v1/client-config', { token: manager.tokens.auditor });
    expect(body).toEqual({ config: { playground: on(false) }, overrides: [] });
  });

  it('is not sent again (304) for its ETag until the configuration changes', async () => {
    await putConfig(manager, { playground: on(true) });
    const first = await askConfig(manager, manager.tokens.alice);
    const conditional = { ...CLI, 'if-none-match': `"other", W/${first.etag}` };
    const unchanged = await manager.client.call(CONFIG, { token: manager.tokens.alice, headers: conditional });
    expect([unchanged.status, unchanged.headers.get('etag'), unchanged.body]).toEqual([304, first.etag, undefined]);
    expect((await askConfig(manager, manager.tokens.alice)).text).toBe(first.text);

    await putConfig(manager, { playground: on(false) });
    const second = await askConfig(manager, manager.tokens.alice, { 'if-none-match': first.etag });
    expect([second.status, second.etag === first.etag]).toEqual([200, false]);
    const before = await accepted(manager, first.text);
    const after = await accepted(manager, second.text, { lastAccepted: before.issued_at });
    expect(after.issued_at > before.issued_at).toBe(true);
    await expect(accepted(manager, first.text, { lastAccepted: after.issued_at })).rejects.toMatchObject({
      code: 'rolled_back',
    });
  });

  it('differs for each user and is sent once to each client type', async () => {
    const [mine, theirs] = [
      await askConfig(manager, manager.tokens.alice),
      await askConfig(manager, manager.tokens.bob),
    ];
    expect(theirs.text).not.toBe(mine.text);
    const desktop = { 'x-client-type': 'gatehouse-desktop', 'if-none-match': theirs.etag };
    expect((await askConfig(manager, manager.tokens.bob, desktop)).status).toBe(200);
  });

  it('is sent to a client with an unknown or invalid ETag', async () => {
    for (const claim of ['"anything"', 'no tag'])
      expect((await askConfig(manager, manager.tokens.alice, { 'if-none-match': claim })).status).toBe(200);
  });

  it('has its etag as the ETag of the response, and If-None-Match accepts it and `*`', async () => {
    for (const degraded_mode of [undefined, { policy: 'warn', grace_period: '2h', message: 'away' }]) {
      await putConfig(manager, { playground: on(true), ...(degraded_mode && { degraded_mode }) });
      const { etag, headers, text } = await askConfig(manager, manager.tokens.alice);
      const envelope = JSON.parse(text) as Record<string, string>;
      expect(etag).toBe(`"${envelope['etag']}"`);
      expect(envelope['degraded_mode']).toEqual(degraded_mode && { ...degraded_mode, in_force: false });
      expect(headers.get('last-modified')).toBe(new Date(envelope['issued_at'] ?? '').toUTCString());
      for (const claim of [etag, `"other", ${etag}`, '*', ' * '])
        expect((await askConfig(manager, manager.tokens.alice, { 'if-none-match': claim })).status).toBe(304);
    }
  });

  it('has an issued_at that increases with every change, also of fast changes', async () => {
    let last = '';
    for (let round = 0; round < 8; round += 1) {
      await putConfig(manager, { build_env: { ROUND: String(round) } });
      const texts = await Promise.all(Array.from({ length: 4 }, () => askConfig(manager, manager.tokens.alice)));
      expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
      const { issued_at } = await accepted(manager, texts[0]?.text ?? '', {
        lastAccepted: last || '2020-01-01T00:00:00Z',
      });
      expect(issued_at > last).toBe(true);
      last = issued_at;
    }
  });

  it.each([
    ['X-Client-Type', { 'x-client-type': 'gatehouse' }],
    ['X-Client-Type', { 'x-client-type': 'GATEHOUSE-CLI' }],
    ['X-Client-Type', { 'x-client-type': 'gatehouse-cli, gatehouse-desktop' }],
    ['X-Client-Version', { 'x-client-version': '1.2' }],
    ['X-Client-Version', { 'x-client-version': 'v1.2.3' }],
    ['X-Client-Version', { 'x-client-version': '01.2.3' }],
    ['X-Client-Version', { 'x-client-version': '1.2.3-' }],
    ['X-Client-Version', { 'x-client-version': `1.2.3-${'a'.repeat(200)}` }],
  ])('is refused for an invalid %s: %o', async (name, headers) => {
    const { status, body } = await manager.client.call<{ error: string }>(CONFIG, {
      token: manager.tokens.alice,
      headers: { ...CLI, ...headers },
    });
    expect([status, body.error]).toEqual([400, expect.stringContaining(`${name}: `)]);
  });

  it('is refused without a client type, without a token and for a gateway', async () => {
    const { status, body } = await manager.client.call<{ error: string }>(CONFIG, { token: manager.tokens.alice });
    expect([status, body.error]).toEqual([400, expect.stringContaining('X-Client-Type: is required')]);
    expect((await manager.client.call(CONFIG, { headers: CLI })).status).toBe(401);
    expect((await manager.client.call(CONFIG, { token: manager.tokens.gateway, headers: CLI })).status).toBe(403);
  });

  it('is served to pre-release and build versions of clients', async () => {
    for (const version of ['0.0.1', '1.2.3-rc.1', '1.2.3-alpha+build.5', '10.20.30+sha'])
      expect((await askConfig(manager, manager.tokens.alice, { 'x-client-version': version })).status).toBe(200);
  });

  it('is signed by a key of the key set, which contains no private keys', async () => {
    const { text } = await askConfig(manager, manager.tokens.alice);
    const { kid } = await accepted(manager, text);
    const { keys } = await fetchKeySet(manager);
    expect(keys.map((key) => key.kid)).toContain(kid);
    const stored = await manager.sql<{ row: string }>('SELECT s::text AS row FROM signing_key_secrets s');
    expect(stored).toHaveLength(2);
    expect(JSON.stringify([keys, stored])).not.toContain('"d"');
  });
});

describe('a deployment without a key-encryption key', () => {
  it('answers 503 with the reason instead of an envelope, and is ready', async () => {
    const manager = await startManager({ environment: { KEY_ENCRYPTION_KEYS: '' } });
    try {
      const response = await manager.client.call<{ error: string }>(CONFIG, {
        token: manager.tokens.alice,
        headers: CLI,
      });
      expect([response.status, response.body.error, response.headers.get('retry-after')]).toEqual([
        503,
        expect.stringContaining('KEY_ENCRYPTION_KEYS'),
        '60',
      ]);
      const { admin } = manager.tokens;
      expect((await manager.client.call('POST /v1/signing-keys/rotate', { token: admin })).status).toBe(503);
      expect(await manager.client.call('GET /v1/signing-keys', { token: admin })).toMatchObject({ body: { keys: [] } });
      expect((await manager.client.call('GET /readyz')).status).toBe(200);
      expect(await manager.sql('SELECT 1 FROM signing_keys')).toEqual([]);
    } finally {
      await manager.close();
    }
  }, 60_000);
});
