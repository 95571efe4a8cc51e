import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  ERROR,
  makeScimToken,
  createUserBody,
  type ScimFailureBody,
  createScimClient,
  type Token,
} from './scim-scene.ts';

const DAY_MS = 86_400_000;

describe('SCIM tokens', () => {
  const clock = new TestClock();
  let issuers: TestIssuer[];
  let manager: TestManager;

  beforeAll(async () => {
    issuers = [await startIssuer(), await startIssuer()];
    const [first, second] = issuers;
    if (!first || !second) throw new Error('there are two issuers');
    const roles = { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'] } };
    const started = await startManager({
      people: [],
      clock,
      environment: {
        ISSUERS: JSON.stringify([
          { id: 'local', issuer: first.issuer, roles },
          { id: 'other', issuer: second.issuer },
        ]),
      },
    });
    const admin = await first.token({ subject: 'admin', roles: ['admin'] });
    const auditor = await first.token({ subject: 'auditor', roles: ['auditor'] });
    manager = { ...started, tokens: { ...started.tokens, admin, auditor } };
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    await Promise.all(issuers.map((issuer) => issuer.close()));
  });

  const callAsAdmin = <Body = Token>(operation: string, call: Parameters<TestManager['client']['call']>[1] = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...call });
  const openEndpoint = async (secret: string, issuerId = 'local') =>
    (await createScimClient(manager, secret, issuerId)('GET', '/Users?count=0')).status;
  const rotate = (id: string, query: Record<string, string> = {}) =>
    callAsAdmin('POST /v1/scim-tokens/{id}/rotate', { path: { id }, query });

  it('show their secret once, and no part of it is stored, listed or audited', async () => {
    const { id, secret } = await makeScimToken(manager);
    const [lookup, random] = [secret.slice(7, 15), secret.slice(16)];
    const read = await callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id } });
    const list = await callAsAdmin('GET /v1/scim-tokens');
    for (const { body } of [read, list]) {
      expect(JSON.stringify(body)).not.toContain(lookup);
      expect(JSON.stringify(body)).not.toContain(random);
    }
    for (const table of ['scim_tokens', 'audit_events']) {
      const [rows] = await manager.sql<{ text: string }>(
        `SELECT coalesce(string_agg(t::text, ''), '') AS text FROM ${table} t`,
      );
      expect(rows?.text).not.toContain(random.slice(0, 20));
    }
    expect(read.body).toMatchObject({
      state: 'active',
      issuer_id: 'local',
      scim_url: expect.stringMatching(/\/scim\/local\/v2$/),
    });
    expect(await openEndpoint(secret)).toBe(200);
  });

  it('allow only the endpoint of their issuer, with the same 401 for an unknown issuer and a wrong token', async () => {
    const { secret } = await makeScimToken(manager);
    const theirs = await makeScimToken(manager, 'other');
    expect(await openEndpoint(theirs.secret, 'other')).toBe(200);
    const wrong = await createScimClient(manager, secret, 'other')<ScimFailureBody>('GET', '/Users');
    const unknown = await createScimClient(manager, secret, 'nowhere')<ScimFailureBody>('GET', '/Users');
    const garbage = await createScimClient(manager, 'garbage')<ScimFailureBody>('GET', '/Users');
    for (const response of [wrong, unknown, garbage]) {
      expect([response.status, response.text]).toEqual([401, wrong.text]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="scim", error="invalid_token"');
      expect(response.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    }
    expect(wrong.body).toMatchObject({ schemas: [ERROR], status: '401' });
  });

  it('are refused by the operations for administrators, and SCIM refuses access tokens', async () => {
    const { secret } = await makeScimToken(manager);
    expect((await callAsAdmin('GET /v1/scim-tokens', { token: secret })).status).toBe(401);
    expect(await openEndpoint(manager.tokens.admin)).toBe(401);
  });

  it('are required before the body is read', async () => {
    const response = await fetch(`${manager.baseUrl}/scim/local/v2/Users`, { method: 'POST', body: '{"broken' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="scim"');
    expect(await response.json()).toMatchObject({ schemas: [ERROR], status: '401' });
  });

  it('are refused if the request has two Authorization headers', async () => {
    const { secret } = await makeScimToken(manager);
    const { hostname, port } = new URL(manager.baseUrl);
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: [`Bearer ${secret}`, 'Bearer x'] } as unknown as Record<string, string[]>;
      request({ hostname, port, path: '/scim/local/v2/Users', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  it('keep the previous secret for 24 hours after a rotation, until a second rotation', async () => {
    const { id, secret: first } = await makeScimToken(manager);
    const second = await rotate(id);
    expect(second.status).toBe(200);
    expect(await Promise.all([first, second.body.secret].map((secret) => openEndpoint(secret)))).toEqual([200, 200]);
    const third = await rotate(id);
    const secrets = [first, second.body.secret, third.body.secret];
    expect(await Promise.all(secrets.map((secret) => openEndpoint(secret)))).toEqual([401, 200, 200]);
    clock.time += DAY_MS;
    expect(await Promise.all(secrets.map((secret) => openEndpoint(secret)))).toEqual([401, 401, 200]);
    clock.time -= DAY_MS;
  });

  it('can be rotated with a grace period of 0 to 604,800 whole seconds', async () => {
    const { id, secret } = await makeScimToken(manager);
    const { body } = await rotate(id, { grace_seconds: '0' });
    expect(body).not.toHaveProperty('previous_secret_valid_until');
    expect([await openEndpoint(secret), await openEndpoint(body.secret)]).toEqual([401, 200]);
    for (const grace_seconds of ['604801', '-1', '1.5', 'x', ''])
      expect((await rotate(id, { grace_seconds })).status).toBe(400);
    expect(await openEndpoint(body.secret)).toBe(200);
  });

  it('are rotated once by two parallel requests with the same If-Match', async () => {
    const { id } = await makeScimToken(manager);
    const etag = (await callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id } })).headers.get('etag') ?? '';
    const tryRotation = () =>
      callAsAdmin('POST /v1/scim-tokens/{id}/rotate', { path: { id }, headers: { 'if-match': etag } });
    const statuses = (await Promise.all([tryRotation(), tryRotation()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412]);
  });

  it('are revoked only with the current ETag in If-Match, and a read with it returns 304', async () => {
    const { id, secret } = await makeScimToken(manager);
    const read = (headers: Record<string, string> = {}) =>
      callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id }, headers });
    const revoke = (etag: string) =>
      callAsAdmin('DELETE /v1/scim-tokens/{id}', { path: { id }, headers: { 'if-match': etag } });
    const etag = (await read()).headers.get('etag') ?? '';
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    const rotated = (await rotate(id)).headers.get('etag') ?? '';
    expect((await read({ 'if-none-match': etag })).status).toBe(200);
    expect([(await revoke(etag)).status, await openEndpoint(secret)]).toEqual([412, 200]);
    expect([(await revoke(rotated)).status, await openEndpoint(secret)]).toEqual([204, 401]);
  });

  it('lose both secrets at once with their revocation and stay listed', async () => {
    const { id, secret } = await makeScimToken(manager);
    const { body } = await rotate(id);
    expect((await callAsAdmin('DELETE /v1/scim-tokens/{id}', { path: { id } })).status).toBe(204);
    expect([await openEndpoint(secret), await openEndpoint(body.secret)]).toEqual([401, 401]);
    expect((await callAsAdmin('DELETE /v1/scim-tokens/{id}', { path: { id } })).status).toBe(204);
    expect((await rotate(id)).status).toBe(409);
    expect((await callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id } })).body.state).toBe('revoked');
    const rows = await manager.sql<{ operation: string }>(
      'SELECT operation FROM audit_events WHERE object_id = $1 ORDER BY occurred_at, id',
      [id],
    );
    expect(rows.map(({ operation }) => operation)).toEqual([
      'Create SCIM token',
      'Rotate SCIM token',
      'Revoke SCIM token',
    ]);
  });

  it('are refused after they expire', async () => {
    const { id, secret } = await makeScimToken(manager, 'local', {
      expires_at: new Date(clock.time + 60_000).toISOString(),
    });
    expect(await openEndpoint(secret)).toBe(200);
    clock.time += 60_000;
    expect(await openEndpoint(secret)).toBe(401);
    expect((await rotate(id)).status).toBe(409);
    expect((await callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id } })).body.state).toBe('expired');
    clock.time -= 60_000;
  });

  it('require a configured issuer and a future expiry', async () => {
    const create = (body: object) => callAsAdmin<{ error: string }>('POST /v1/scim-tokens', { body });
    const unknown = await create({ issuer_id: 'nowhere', name: 'x' });
    expect([unknown.status, unknown.body.error]).toEqual([422, expect.stringContaining('issuer_id')]);
    const past = await create({ issuer_id: 'local', name: 'x', expires_at: new Date(clock.time).toISOString() });
    expect([past.status, past.body.error]).toEqual([422, expect.stringContaining('expires_at')]);
    const never = await create({ issuer_id: 'local', name: 'x', expires_at: '9999-12-31T23:59:59-00:01' });
    expect([never.status, never.body.error]).toEqual([400, expect.stringContaining('expires_at')]);
    expect((await create({ issuer_id: 'local', name: 'x', secret: 'mine' })).status).toBe(400);
    expect((await create({ issuer_id: 'local', name: 'a\u0007b' })).status).toBe(400);
  });

  it('store the time of their last use once a minute', async () => {
    const { id, secret } = await makeScimToken(manager);
    const readLastUse = async () => (await callAsAdmin('GET /v1/scim-tokens/{id}', { path: { id } })).body.last_used_at;
    expect(await readLastUse()).toBeUndefined();
    await openEndpoint(secret);
    const first = await readLastUse();
    expect(first).toBe(new Date(clock.time).toISOString());
    clock.time += 30_000;
    await openEndpoint(secret);
    expect(await readLastUse()).toBe(first);
    clock.time += 31_000;
    await openEndpoint(secret);
    expect(await readLastUse()).toBe(new Date(clock.time).toISOString());
  });

  it('can be read by auditors and changed only by administrators', async () => {
    const token = manager.tokens.auditor;
    const { id } = await makeScimToken(manager);
    expect((await callAsAdmin('GET /v1/scim-tokens/{id}', { token, path: { id } })).status).toBe(200);
    expect((await callAsAdmin('DELETE /v1/scim-tokens/{id}', { token, path: { id } })).status).toBe(403);
  });

  it('are the actors of their changes in the audit trail', async () => {
    const { id, secret } = await makeScimToken(manager);
    const { body } = await createScimClient(manager, secret)('POST', '/Users', createUserBody(), {
      'x-request-id': 'made it',
    });
    const rows = await manager.sql(
      'SELECT issuer, subject, operation, request_id FROM audit_events WHERE object_id = $1',
      [body.id],
    );
    expect(rows).toEqual([
      { issuer: 'scim:local', subject: id, operation: 'SCIM: create user', request_id: 'made it' },
    ]);
  });
});
