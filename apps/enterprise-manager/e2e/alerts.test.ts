import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listDeliveries, LOOPBACK, type MadeAlert, type MadeDelivery, makeAlert } from './alerts-scene.ts';
import { makeUsers, makeUnboundUser } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readDatabaseState } from './state.ts';

const ALERTS = '/v1/budgets/alerts';
const PUBLIC = 'https://93.184.216.34/hook';

describe('/v1/budgets/alerts', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body = MadeAlert>(operation: string, request: object = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...request });
  const createBody = (more: object = {}) => ({
    name: 'Finance',
    thresholds: [80, 100],
    url: PUBLIC,
    enabled: false,
    ...more,
  });

  it('creates, returns, replaces and deletes alerts', async () => {
    const made = await call(`POST ${ALERTS}`, {
      body: createBody({ thresholds: [100, 50, 80], periods: ['year', 'day'] }),
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${ALERTS}/${made.body.id}`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { secret, ...alert } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(alert).toEqual({
      id: expect.any(String) as unknown,
      name: 'Finance',
      thresholds: [50, 80, 100],
      periods: ['day', 'year'],
      url: PUBLIC,
      allow_private_ips: false,
      enabled: false,
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
    });

    const path = { id: alert.id };
    const got = await call(`GET ${ALERTS}/{id}`, { path });
    expect([got.status, got.body]).toEqual([200, alert]);
    expect(got.headers.get('etag')).toBe(made.headers.get('etag'));
    const unchanged = await call(`GET ${ALERTS}/{id}`, { path, headers: { 'if-none-match': got.headers.get('etag') } });
    expect(unchanged.status).toBe(304);

    const replaced = await call(`PUT ${ALERTS}/{id}`, {
      path,
      body: createBody({
        name: 'People',
        scope: 'user',
        subject_id: 'corp/alice',
        allow_private_ips: true,
        url: 'http://10.0.0.1/',
      }),
      headers: { 'if-match': got.headers.get('etag') },
    });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      expect.objectContaining({ name: 'People', scope: 'user', subject_id: 'corp/alice', thresholds: [80, 100] }),
    ]);
    expect(replaced.body).not.toHaveProperty('periods');
    expect(replaced.body).not.toHaveProperty('secret');
    const stale = { path, headers: { 'if-match': got.headers.get('etag') } };
    expect((await call(`PUT ${ALERTS}/{id}`, { ...stale, body: createBody() })).status).toBe(412);
    expect((await call(`POST ${ALERTS}/{id}/rotate-secret`, stale)).status).toBe(412);
    expect((await call(`DELETE ${ALERTS}/{id}`, stale)).status).toBe(412);

    expect(
      (await call(`DELETE ${ALERTS}/{id}`, { path, headers: { 'if-match': replaced.headers.get('etag') } })).status,
    ).toBe(204);
    expect((await call(`GET ${ALERTS}/{id}`, { path })).status).toBe(404);
    expect((await call(`PUT ${ALERTS}/{id}`, { path, body: createBody() })).status).toBe(404);
    expect((await call(`DELETE ${ALERTS}/{id}`, { path })).status).toBe(404);
    expect((await call(`POST ${ALERTS}/{id}/rotate-secret`, { path })).status).toBe(404);
    expect((await call(`POST ${ALERTS}/{id}/test`, { path })).status).toBe(404);
    expect((await call(`GET ${ALERTS}/{id}/deliveries`, { path })).status).toBe(404);
    const delivery = { path: { ...path, delivery_id: randomUUID() } };
    expect((await call(`GET ${ALERTS}/{id}/deliveries/{delivery_id}`, delivery)).status).toBe(404);
    expect((await call(`POST ${ALERTS}/{id}/deliveries/{delivery_id}/resend`, delivery)).status).toBe(404);
    expect(await manager.sql('SELECT FROM budget_alert_secrets WHERE alert_id = $1', [path.id])).toEqual([]);
  });

  it('records each write in the audit trail with the changed fields and without a secret', async () => {
    const { id, secret } = await makeAlert(manager, createBody());
    const path = { id };
    await call(`PUT ${ALERTS}/{id}`, { path, body: createBody({ name: 'Other', thresholds: [1] }) });
    const { body: rotated } = await call(`POST ${ALERTS}/{id}/rotate-secret`, { path });
    const { body: tested } = await call<MadeDelivery>(`POST ${ALERTS}/{id}/test`, { path });
    await call(`POST ${ALERTS}/{id}/deliveries/{delivery_id}/resend`, { path: { id, delivery_id: tested.id } });
    await call(`DELETE ${ALERTS}/{id}`, { path });
    const rows = await manager.sql<{ operation: string; changed_fields: string[] }>(
      `SELECT operation, changed_fields FROM audit_events WHERE object_kind = 'budget_alert' AND object_id = $1 ORDER BY occurred_at, id`,
      [id],
    );
    expect(rows.map(({ operation, changed_fields }) => [operation, changed_fields.sort()])).toEqual([
      ['Create budget alert', ['allow_private_ips', 'enabled', 'name', 'thresholds', 'url']],
      ['Replace budget alert', ['allow_private_ips', 'name', 'thresholds']],
      ['Rotate secret of budget alert', ['secret']],
      ['Test budget alert', [`deliveries/${tested.id}`]],
      ['Resend budget alert delivery', [`deliveries/${tested.id}`]],
      ['Delete budget alert', []],
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
    expect(JSON.stringify(rows)).not.toContain(rotated.secret.slice(6, 30));
  });

  it('returns a secret only at its creation and rotation', async () => {
    const { id, secret } = await makeAlert(manager, createBody());
    const path = { id };
    const rotated = await call(`POST ${ALERTS}/{id}/rotate-secret`, { path });
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    expect(rotated.body.secret).not.toBe(secret);
    expect(Date.parse(rotated.body.previous_secret_valid_until ?? '')).toBeGreaterThan(Date.now() + 86_000_000);
    const others = [
      await call(`GET ${ALERTS}/{id}`, { path }),
      await call(`GET ${ALERTS}`),
      await call(`PUT ${ALERTS}/{id}`, { path, body: createBody({ enabled: true }) }),
      await call(`POST ${ALERTS}/{id}/test`, { path }),
      await call(`GET ${ALERTS}/{id}/deliveries`, { path }),
      await call('GET /v1/audit-events'),
    ].map((response) => JSON.stringify([response.body, [...response.headers]]));
    const dump = JSON.stringify(await manager.sql('SELECT row_to_json(s)::text AS row FROM budget_alert_secrets AS s'));
    for (const shown of [secret, rotated.body.secret]) {
      const bytes = Buffer.from(shown.slice('whsec_'.length), 'base64');
      for (const form of [shown.slice('whsec_'.length), bytes.toString('hex')])
        expect([...others, dump].filter((text) => text.includes(form))).toEqual([]);
    }
    expect(await manager.sql('SELECT FROM budget_alert_secrets WHERE alert_id = $1', [id])).toHaveLength(2);
    await call(`POST ${ALERTS}/{id}/rotate-secret`, { path });
    expect(await manager.sql('SELECT FROM budget_alert_secrets WHERE alert_id = $1', [id])).toHaveLength(2);
  });

  it.each([
    ['no name', { name: undefined }, 400, 'name'],
    ['an empty name', { name: '' }, 400, 'name'],
    ['no thresholds', { thresholds: [] }, 400, 'thresholds'],
    ['a threshold of 0', { thresholds: [0] }, 400, 'thresholds'],
    ['a threshold above 1000', { thresholds: [1_001] }, 400, 'thresholds'],
    ['half a percent', { thresholds: [0.5] }, 400, 'thresholds'],
    ['a threshold as text', { thresholds: ['80'] }, 400, 'thresholds'],
    ['a threshold twice', { thresholds: [80, 80] }, 400, 'thresholds'],
    ['21 thresholds', { thresholds: Array.from({ length: 21 }, (_, at) => at + 1) }, 400, 'thresholds'],
    ['an unknown scope', { scope: 'team' }, 400, 'scope'],
    ['a subject without a scope', { subject_id: 'alice' }, 400, 'subject_id'],
    ['a group by its name', { scope: 'group', subject_id: 'developers' }, 400, 'subject_id'],
    ['an unknown group', { scope: 'group', subject_id: randomUUID() }, 422, 'subject_id'],
    ['no period', { periods: [] }, 400, 'periods'],
    ['an unknown period', { periods: ['week'] }, 400, 'periods'],
    ['a period twice', { periods: ['day', 'day'] }, 400, 'periods'],
    ['no URL', { url: undefined }, 400, 'url'],
    ['a malformed URL', { url: 'hook' }, 400, 'url'],
    ['another scheme', { url: 'ftp://hooks.example.com/' }, 400, 'url'],
    ['credentials in the URL', { url: 'https://user:secret@hooks.example.com/' }, 400, 'url'],
    ['plain http', { url: 'http://hooks.example.com/' }, 422, 'url'],
    ['a loopback address', { url: 'https://127.0.0.1/' }, 422, 'url'],
    ['a loopback address in hexadecimal', { url: 'https://0x7f000001/' }, 422, 'url'],
    ['localhost', { url: 'https://localhost/' }, 422, 'url'],
    ['a private address', { url: 'https://10.1.2.3/' }, 422, 'url'],
    ['a private address of IPv6', { url: 'https://[fd00::1]/' }, 422, 'url'],
    ['a metadata service', { url: 'http://169.254.169.254/latest/', allow_private_ips: true }, 422, 'url'],
    ['a text as boolean', { enabled: 'no' }, 400, 'enabled'],
    ['a secret', { secret: 'whsec_AAAA' }, 400, 'secret'],
  ])('refuses an alert with %s', async (_, wrong, status, field) => {
    const { id } = await makeAlert(manager, createBody());
    const before = await readDatabaseState(manager);
    for (const [operation, path] of [
      [`POST ${ALERTS}`, {}],
      [`PUT ${ALERTS}/{id}`, { id }],
    ] as const) {
      const response = await call(operation, { path, body: createBody(wrong) });
      expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(field)]);
    }
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it('accepts a group as subject, and disables its alert after the deletion of the group', async () => {
    const group = await makeGroup(manager);
    const settings = createBody({ scope: 'group', subject_id: group.toUpperCase(), enabled: true });
    const { id } = await makeAlert(manager, settings);
    await call('DELETE /v1/groups/{id}', { path: { id: group } });
    const disabled = await call(`PUT ${ALERTS}/{id}`, { path: { id }, body: { ...settings, enabled: false } });
    expect([disabled.status, disabled.body]).toEqual([
      200,
      expect.objectContaining({ subject_id: group, enabled: false }),
    ]);
  });

  it('normalizes the subject of a user and refuses directory ids', async () => {
    const write = (subject_id: string) => call(`POST ${ALERTS}`, { body: createBody({ scope: 'user', subject_id }) });
    expect(await write('local/erin')).toMatchObject({ status: 201, body: { subject_id: 'erin' } });
    expect(await write('local/')).toMatchObject({
      status: 400,
      body: { error: 'subject_id: names an issuer without a subject; use "<issuer id>/<subject>"' },
    });
    const [subject] = await makeUsers(manager, 1);
    const [entry] = await manager.sql<{ id: string }>('SELECT id::text AS id FROM users WHERE subject = $1', [subject]);
    expect(await write(entry!.id)).toMatchObject({
      status: 400,
      body: { error: `subject_id: is the directory id of a user; use the subject_id "${subject}" instead` },
    });
    expect(await write(await makeUnboundUser(manager))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('subject_id: is the directory id of a user who has not signed in yet') },
    });
    // A 400 comes before a 412, and a 412 before a 422.
    const { id } = await makeAlert(manager, createBody());
    const mistaken = createBody({ scope: 'user', subject_id: entry!.id, url: 'https://10.0.0.1/' });
    const stale = await call(`PUT ${ALERTS}/{id}`, {
      path: { id },
      headers: { 'if-match': '"stale"' },
      body: mistaken,
    });
    expect([stale.status, (await call(`POST ${ALERTS}`, { body: mistaken })).status]).toEqual([400, 400]);
  });

  it('allows writes to administrators and reads to auditors', async () => {
    const { id } = await makeAlert(manager, createBody());
    const { auditor, alice, gateway } = manager.tokens;
    const getStatus = async (operation: string, token: string) =>
      (await call(operation, { token, path: { id, delivery_id: randomUUID() }, body: undefined })).status;
    for (const operation of [`GET ${ALERTS}`, `GET ${ALERTS}/{id}`, `GET ${ALERTS}/{id}/deliveries`]) {
      expect(await getStatus(operation, auditor)).toBe(200);
      expect(await getStatus(operation, alice)).toBe(403);
      expect(await getStatus(operation, gateway)).toBe(403);
    }
    for (const operation of [
      `POST ${ALERTS}`,
      `PUT ${ALERTS}/{id}`,
      `DELETE ${ALERTS}/{id}`,
      `POST ${ALERTS}/{id}/test`,
      `POST ${ALERTS}/{id}/rotate-secret`,
      `POST ${ALERTS}/{id}/deliveries/{delivery_id}/resend`,
    ])
      expect([operation, await getStatus(operation, auditor)]).toEqual([operation, 403]);
  });

  it('lists alerts in pages and deliveries newest first, with a filter by state', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.push((await makeAlert(manager, createBody())).id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await call<{ items: MadeAlert[]; next_cursor?: string }>(`GET ${ALERTS}`, {
        query: { limit: 2, cursor },
      });
      seen.push(...page.body.items.map(({ id }) => id));
      cursor = page.body.next_cursor;
    } while (cursor !== undefined);
    expect(seen.slice(-5)).toEqual(ids);

    const [id] = ids;
    const path = { id };
    const tests: string[] = [];
    for (let at = 0; at < 4; at += 1)
      tests.push((await call<MadeDelivery>(`POST ${ALERTS}/{id}/test`, { path })).body.id);
    const newestFirst = tests.toReversed();
    expect((await listDeliveries(manager, id!)).map((delivery) => delivery.id)).toEqual(newestFirst);
    await manager.sql(
      `UPDATE budget_alert_deliveries SET state = 'failed', next_attempt_at = NULL, lease_id = NULL WHERE id <> ALL ($1)`,
      [tests.slice(0, 2)],
    );
    type Page = { items: MadeDelivery[]; next_cursor?: string; prev_cursor?: string };
    const list = (query: object) => call<Page>(`GET ${ALERTS}/{id}/deliveries`, { path, query });
    const first = await list({ limit: 3 });
    expect(first.body.items.map((delivery) => delivery.id)).toEqual(newestFirst.slice(0, 3));
    const second = await list({ limit: 3, cursor: first.body.next_cursor });
    expect(second.body.items.map((delivery) => delivery.id)).toEqual(newestFirst.slice(3));
    const back = await list({ limit: 3, before: second.body.prev_cursor });
    expect(back.body.items.map((delivery) => delivery.id)).toEqual(newestFirst.slice(0, 3));
    expect((await list({ state: 'lost' })).status).toBe(400);
    expect((await list({ state: 'failed', cursor: first.body.next_cursor })).status).toBe(400);
    const failed = await list({ state: 'failed' });
    expect(failed.body.items.map((delivery) => delivery.state)).toEqual(failed.body.items.map(() => 'failed'));
    expect(failed.body.items.map((delivery) => delivery.id)).toEqual(expect.arrayContaining(tests.slice(2)));
    const one = await call<MadeDelivery>(`GET ${ALERTS}/{id}/deliveries/{delivery_id}`, {
      path: { id, delivery_id: tests[3] },
    });
    expect([one.status, one.body.id, one.body.state]).toEqual([200, tests[3], 'failed']);
    const foreign = await call(`GET ${ALERTS}/{id}/deliveries/{delivery_id}`, {
      path: { id: ids[1], delivery_id: tests[3] },
    });
    expect(foreign.status).toBe(404);
  });

  it('returns 409 for the 501st alert', async () => {
    await manager.sql(
      `INSERT INTO budget_alerts (id, name, thresholds, url, allow_private_ips, enabled, version, created_at, updated_at)
       SELECT gen_random_uuid(), 'filler', '{100}', $1, FALSE, FALSE, 1, now(), now() FROM generate_series(1, 500 - (SELECT count(*) FROM budget_alerts))`,
      [PUBLIC],
    );
    const refused = await call(`POST ${ALERTS}`, { body: createBody() });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('500')]);
    await manager.sql(`DELETE FROM budget_alerts WHERE name = 'filler'`);
  });
});

describe('/v1/budgets/alerts without a key-encryption key', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ environment: { KEY_ENCRYPTION_KEYS: '' } });
  }, 60_000);
  afterAll(() => manager.close());

  it('returns 503 for the creation and rotation, and serves all other operations', async () => {
    const token = manager.tokens.admin;
    const body = { name: 'n', thresholds: [80], url: PUBLIC };
    const before = await readDatabaseState(manager);
    const made = await manager.client.call<{ error: string }>('POST /v1/budgets/alerts', { token, body });
    expect([made.status, made.body.error]).toEqual([503, expect.stringContaining('KEY_ENCRYPTION_KEYS')]);
    expect(await readDatabaseState(manager)).toBe(before);
    expect((await manager.client.call('GET /v1/budgets/alerts', { token })).status).toBe(200);
    await manager.sql(
      `INSERT INTO budget_alerts (id, name, thresholds, url, allow_private_ips, enabled, version, created_at, updated_at)
       VALUES (gen_random_uuid(), 'old', '{100}', $1, FALSE, TRUE, 1, now(), now())`,
      [PUBLIC],
    );
    const [row] = await manager.sql<{ id: string }>('SELECT id FROM budget_alerts');
    const path = { id: row!.id };
    expect((await manager.client.call('POST /v1/budgets/alerts/{id}/rotate-secret', { token, path })).status).toBe(503);
    expect((await manager.client.call('PUT /v1/budgets/alerts/{id}', { token, path, body })).status).toBe(200);
    expect((await fetch(`${manager.baseUrl}/readyz`)).status).toBe(200);
  });
});
