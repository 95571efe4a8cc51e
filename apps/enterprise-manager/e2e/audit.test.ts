import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface AuditEvent {
  id: string;
  occurred_at: string;
  request_id: string;
  issuer: string;
  subject: string;
  subject_id: string;
  operation: string;
  object_kind?: string;
  object_id?: string;
  outcome: string;
  changed_fields: string[];
}
interface Page {
  items: AuditEvent[];
  next_cursor?: string;
  prev_cursor?: string;
}

describe('the audit trail', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body>(operation: string, options: object = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });
  const list = async (query: Record<string, string | number> = {}) =>
    (await call<Page>('GET /v1/audit-events', { query, token: manager.tokens.auditor })).body;
  const create = async (display_name: string, headers = {}) =>
    (await call<{ id: string }>('POST /v1/groups', { body: { display_name, description: 'a secret plan' }, headers }))
      .body.id;

  it('returns the subject_id of the caller and filters by it', async () => {
    await create('Audited for its caller');
    const [event] = (await list({ subject_id: 'admin', limit: 1 })).items;
    expect(event).toMatchObject({ subject_id: 'admin', subject: 'admin', issuer: manager.issuer.issuer });
    expect((await list({ subject_id: 'alice', operation: 'Create group' })).items).toEqual([]);
    for (const other of ['issuer', 'subject']) {
      const query = { subject_id: 'admin', [other]: 'x' };
      expect((await call('GET /v1/audit-events', { query })).status).toBe(400);
    }
  });

  it('lists the caller, the changed fields and the request id of each change without values, newest first', async () => {
    const id = await create('Audited', { 'x-request-id': 'request-of-the-audit' });
    const user_id = await manager.findUserId('alice');
    const child_id = await create('Audited child');
    const path = { id, group_id: id, user_id, child_id };
    await call('PATCH /v1/groups/{id}', {
      path,
      body: { display_name: 'Audited again', description: 'a secret plan' },
    });
    await call('PUT /v1/groups/{group_id}/users/{user_id}', { path });
    await call('PUT /v1/groups/{group_id}/subgroups/{child_id}', { path });
    await call('DELETE /v1/groups/{group_id}/users/{user_id}', { path });
    await call('DELETE /v1/groups/{group_id}/subgroups/{child_id}', { path });
    await call('DELETE /v1/groups/{id}', { path });
    const { items } = await list({ object_id: id });
    expect(items.map(({ operation, changed_fields }) => [operation, changed_fields])).toEqual([
      ['Delete group', []],
      ['Remove subgroup', [`subgroups/${child_id}`]],
      ['Remove user member', [`users/${user_id}`]],
      ['Add subgroup', [`subgroups/${child_id}`]],
      ['Add user member', [`users/${user_id}`]],
      ['Patch group', ['display_name', 'name']],
      ['Create group', ['display_name', 'description']],
    ]);
    expect(items.at(-1)).toMatchObject({
      request_id: 'request-of-the-audit',
      issuer: manager.issuer.issuer,
      subject: 'admin',
      object_kind: 'group',
      object_id: id,
      outcome: 'succeeded',
    });
    expect(JSON.stringify(items)).not.toContain('secret plan');
  });

  it('has no event of a write that changed nothing or failed with 404, 409 or 412', async () => {
    const id = await create('Unchanged');
    const path = { id, group_id: id, user_id: await manager.findUserId('alice'), child_id: id };
    await call('PATCH /v1/groups/{id}', { path, body: { display_name: 'Unchanged' } });
    await call('PATCH /v1/groups/{id}', { path, body: { description: 'late' }, headers: { 'if-match': '"old"' } });
    await call('POST /v1/groups', { body: { display_name: 'UNCHANGED' } });
    await call('PUT /v1/groups/{group_id}/subgroups/{child_id}', { path });
    await call('DELETE /v1/groups/{group_id}/users/{user_id}', { path });
    expect((await list({ object_id: id })).items.map(({ operation }) => operation)).toEqual(['Create group']);
  });

  it('rolls back the change if the event cannot be written', async () => {
    const before = await manager.sql('SELECT count(*) FROM groups');
    await manager.sql(
      "ALTER TABLE audit_events ADD CONSTRAINT full_disk CHECK (operation <> 'Create group') NOT VALID",
    );
    try {
      const response = await fetch(`${manager.baseUrl}/v1/groups`, {
        method: 'POST',
        headers: { authorization: `Bearer ${manager.tokens.admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ display_name: 'Without a trace' }),
      });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(await response.text()).not.toMatch(/full_disk|audit_events|constraint/);
    } finally {
      await manager.sql('ALTER TABLE audit_events DROP CONSTRAINT full_disk');
    }
    expect(await manager.sql('SELECT count(*) FROM groups')).toEqual(before);
  });

  it('has no event of a change whose commit fails', async () => {
    const id = await create('Almost changed');
    const path = { id, group_id: id, user_id: await manager.findUserId('alice') };
    const listEventIds = async () => (await list({ limit: 200 })).items.map((event) => event.id);
    const before = await listEventIds();
    await manager.sql(
      "CREATE FUNCTION no_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no commit'; END $$",
    );
    for (const table of ['groups', 'group_users'])
      await manager.sql(
        `CREATE CONSTRAINT TRIGGER no_commit AFTER INSERT OR UPDATE OR DELETE ON ${table} DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION no_commit()`,
      );
    try {
      for (const [method, at, body] of [
        ['POST', '/v1/groups', { display_name: 'Never there' }],
        ['PATCH', `/v1/groups/${id}`, { description: 'never said' }],
        ['PUT', `/v1/groups/${id}/users/${path.user_id}`, undefined],
        ['DELETE', `/v1/groups/${id}`, undefined],
      ] as const) {
        const response = await fetch(`${manager.baseUrl}${at}`, {
          method,
          headers: {
            authorization: `Bearer ${manager.tokens.admin}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        expect([method, response.status, await response.text()]).toEqual([
          method,
          500,
          expect.not.stringContaining('no commit'),
        ]);
      }
    } finally {
      await manager.sql('DROP FUNCTION no_commit CASCADE');
    }
    expect(await listEventIds()).toEqual(before);
    expect((await call('GET /v1/groups/{id}', { path })).status).toBe(200);
  });

  it('has an event with operation and object for each 403 and none for a 401', async () => {
    const id = await create('Out of reach');
    const countRefusals = async () => (await list({ outcome: 'forbidden', limit: 200 })).items.length;
    const before = await countRefusals();
    await call('DELETE /v1/groups/{id}', { path: { id }, token: manager.tokens.bob });
    await call('GET /v1/me', { token: manager.tokens.gateway });
    await manager.client.call('DELETE /v1/groups/{id}', { path: { id } });
    await call('PATCH /v1/groups/{id}', { path: { id: 'a\u0000'.repeat(500) }, token: manager.tokens.bob, body: {} });
    const { items } = await list({ outcome: 'forbidden', subject: 'bob' });
    expect(items.map(({ operation, object_id }) => [operation, object_id])).toEqual([
      ['Patch group', undefined],
      ['Delete group', id],
    ]);
    expect(await countRefusals()).toBe(before + 3);
  });

  it('has its monthly partitions in advance', async () => {
    const months = await manager.sql<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass",
    );
    const names = months.map(({ name }) => name);
    for (const ahead of [0, 1, 2, 3]) {
      const now = new Date();
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 7);
      expect(names).toContain(`audit_events_${month.replace('-', '_')}`);
    }
    expect(await manager.sql('SELECT 1 FROM audit_events_other')).toEqual([]);
  });

  it('is paged in both directions with filters and open to administrators and auditors only', async () => {
    for (let n = 0; n < 5; n += 1) await create(`Trail ${n}`);
    const filter = { operation: 'Create group', outcome: 'succeeded' };
    const first = await list({ ...filter, limit: 3 });
    const second = await list({ ...filter, limit: 3, cursor: first.next_cursor ?? '' });
    const times = [...first.items, ...second.items].map(({ occurred_at, id }) => `${occurred_at} ${id}`);
    expect(times).toEqual([...new Set(times)].sort().reverse());
    const back = await list({ ...filter, limit: 3, before: second.prev_cursor ?? '' });
    expect(back.items).toEqual(first.items);

    const at = first.items[1]?.occurred_at ?? '';
    expect((await list({ ...filter, from: at, limit: 200 })).items.every((event) => event.occurred_at >= at)).toBe(
      true,
    );
    expect((await list({ ...filter, to: at, limit: 200 })).items.every((event) => event.occurred_at < at)).toBe(true);
    for (const [query, name] of [
      [{ from: at, to: at }, 'from'],
      [{ from: 'yesterday' }, 'from'],
      [{ from: '0000-01-01T00:00:00Z' }, 'from'],
      [{ from: '0001-01-01T00:00:00+00:01' }, 'from'],
      [{ to: '9999-12-31T23:59:59-00:01' }, 'to'],
      [{ to: '2026-01-01T00:00:00+16:00' }, 'to'],
      [{ to: '2026-01-01T00:00:00-23:59' }, 'to'],
      [{ outcome: 'perhaps' }, 'outcome'],
      [{ cursor: first.next_cursor ?? '' }, 'cursor'],
    ] as const) {
      const response = await call<{ error: string }>('GET /v1/audit-events', { query, token: manager.tokens.auditor });
      expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(name)]);
    }
    expect((await manager.client.call('GET /v1/audit-events')).status).toBe(401);
    for (const token of [manager.tokens.alice, manager.tokens.gateway]) {
      expect((await manager.client.call('GET /v1/audit-events', { token })).status).toBe(403);
    }
  });
});
