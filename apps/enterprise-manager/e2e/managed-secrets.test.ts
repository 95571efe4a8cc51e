import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from './connector-scene.ts';
import { draft, makeConnector } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { bearer, header, makeSecret, makeUser, reveal, type Secret } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

const LIST = 'GET /v1/managed-secrets';
const CREATE = 'POST /v1/managed-secrets';
const READ = 'GET /v1/managed-secrets/{id}';
const UPDATE = 'PUT /v1/managed-secrets/{id}';
const DELETE = 'DELETE /v1/managed-secrets/{id}';

describe('/v1/managed-secrets', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const send = (operation: string, id: string | undefined, body?: unknown, more: object = {}) =>
    manager.client.call<Secret & { error: string }>(operation, {
      token: manager.tokens.admin,
      ...(id !== undefined && { path: { id } }),
      ...(body !== undefined && { body }),
      ...more,
    });
  const list = async (query: Record<string, string | number> = {}) =>
    (await manager.client.call<Page<Secret>>(LIST, { token: manager.tokens.auditor, query })).body;

  it('creates, reads and lists secrets without their value', async () => {
    const value = `value-${randomUUID()}`;
    const made = await send(CREATE, undefined, { name: 'GitHub token', value });
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/managed-secrets/${made.body.id}`]);
    expect(made.body).toEqual({
      id: made.body.id,
      name: 'GitHub token',
      version: 1,
      created_at: made.body.created_at,
      updated_at: made.body.created_at,
    });
    const read = await send(READ, made.body.id.toUpperCase(), undefined, { token: manager.tokens.auditor });
    expect([read.body, read.headers.get('etag')]).toEqual([made.body, made.headers.get('etag')]);
    const etag = read.headers.get('etag') ?? '';
    expect((await send(READ, made.body.id, undefined, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await list({ name: 'github TOKEN' })).items).toEqual([made.body]);
    const [row] = await manager.sql<{ all: string }>('SELECT m::text AS all FROM managed_secrets m WHERE id = $1', [
      made.body.id,
    ]);
    expect(row?.all).not.toContain(Buffer.from(value).toString('hex'));
  });

  it('refuses a name that differs only in case or Unicode form', async () => {
    await makeSecret(manager, 'v', 'Straße Café');
    const before = await readDatabaseState(manager);
    for (const name of ['STRASSE CAFE\u0301', ' straße  café ', 'Straße\u200b Café', 'ＳＴＲＡＳＳＥ CAFÉ']) {
      const { status, body } = await send(CREATE, undefined, { name, value: 'v' });
      expect([status, body.error]).toEqual([409, 'name: another secret has this name already']);
    }
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it('creates one secret when ten parallel requests have the same name', async () => {
    const name = `Race ${randomUUID()}`;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(CREATE, undefined, { name: n % 2 ? name : name.toUpperCase(), value: 'v' }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it.each<[string, object, RegExp, number?]>([
    ['no value', { name: 'n' }, /value/],
    ['an empty value', { name: 'n', value: '' }, /value/],
    ['a number', { name: 'n', value: 7 }, /value/],
    ['a value with NUL', { name: 'n', value: 'a\u0000b' }, /value/],
    ['64 KiB and a byte', { name: 'n', value: 'x'.repeat(65_537) }, /value: must be at most 65536 bytes/, 413],
    ['64 KiB of wide characters', { name: 'n', value: 'ß'.repeat(32_769) }, /value: must be at most 65536 bytes/, 413],
    ['no name', { value: 'v' }, /name/],
    ['a blank name', { name: '  ', value: 'v' }, /name/],
    ['an invisible name', { name: '\u200b', value: 'v' }, /name/],
    ['two lines', { name: 'a\nb', value: 'v' }, /name/],
    ['a long name', { name: 'n'.repeat(257), value: 'v' }, /name/],
    ['another field', { name: 'n', value: 'v', version: 2 }, /version/],
  ])('refuses %s with an error that does not contain the value', async (_, body, sentence, status = 400) => {
    const before = await readDatabaseState(manager);
    const response = await send(CREATE, undefined, body);
    expect([response.status, response.body.error]).toEqual([status, expect.stringMatching(sentence)]);
    expect(response.body.error).not.toMatch(/xxx|ßßß/);
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it('stores a value of exactly 64 KiB', async () => {
    const value = '€'.repeat(21_845) + 'x';
    const { id } = await makeSecret(manager, value);
    await makeUser(manager, id);
    expect((await reveal(manager, id)).body).toEqual({ value, version: 1 });
  });

  it('increments the version with each new value and checks If-Match', async () => {
    const { id } = await makeSecret(manager, 'first');
    await makeUser(manager, id);
    const etag = (await send(READ, id)).headers.get('etag') ?? '';
    const headers = { 'if-match': etag };
    const second = await send(UPDATE, id, { value: 'second' }, { headers });
    expect([second.status, second.body.version]).toEqual([200, 2]);
    expect(second.headers.get('etag')).not.toBe(etag);
    expect((await send(UPDATE, id, { value: 'lost' }, { headers })).status).toBe(412);
    expect((await send(DELETE, id, undefined, { headers })).status).toBe(412);
    expect((await reveal(manager, id)).body).toEqual({ value: 'second', version: 2 });
    expect((await send(UPDATE, id, { value: 'third' })).body.version).toBe(3);
    expect((await reveal(manager, id)).body).toEqual({ value: 'third', version: 3 });
  });

  it('counts each parallel update and keeps the value of the last one', async () => {
    const { id } = await makeSecret(manager, 'v1');
    await makeUser(manager, id);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => send(UPDATE, id, { value: `update-${n}` })),
    );
    expect(responses.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 2),
    );
    const last = responses.findIndex(({ body }) => body.version === 13);
    expect((await reveal(manager, id)).body).toEqual({ value: `update-${last}`, version: 13 });
  });

  it('returns 404 for unknown ids and 400 for malformed ones', async () => {
    for (const id of [randomUUID(), '11111111-1111-1111-1111-111111111111'])
      for (const [operation, body] of [[READ], [UPDATE, { value: 'v' }], [DELETE]] as const) {
        const response = await send(operation, id, body);
        expect([response.status, response.body.error]).toEqual([404, 'there is no such secret']);
      }
    for (const [operation, body] of [[READ], [UPDATE, { value: 'v' }], [DELETE]] as const)
      expect((await send(operation, 'nonsense', body)).status).toBe(400);
  });

  it('deletes an unused secret, and returns 409 with the connectors for a secret in use', async () => {
    const { id } = await makeSecret(manager);
    const users = [
      await makeConnector(manager, draft({ name: 'First user', ...bearer(id) })),
      await makeConnector(manager, draft({ name: 'Second user', ...header('x-api-key', id) })),
    ];
    const refused = await send(DELETE, id);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'the secret is in use by connector "First user" of gateway local, connector "Second user" of gateway local; remove these references first',
    ]);
    const [first, second] = users.map((user) => ({ gateway_id: 'local', id: user.id }));
    await manager.client.call('DELETE /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: first ?? {},
    });
    await manager.client.call('PUT /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: second ?? {},
      body: draft({ name: 'Second user' }),
    });
    expect((await send(DELETE, id)).status).toBe(204);
    expect((await send(READ, id)).status).toBe(404);
  });

  it('never deletes a secret that a parallel request begins to use', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await makeSecret(manager);
      const [removed, ...made] = await Promise.all([
        send(DELETE, id),
        ...Array.from({ length: 3 }, () =>
          manager.client.call<{ error?: string }>('POST /v1/gateways/{gateway_id}/connectors', {
            token: manager.tokens.admin,
            path: { gateway_id: 'local' },
            body: draft(bearer(id)),
          }),
        ),
      ]);
      const statuses = made.map(({ status }) => status);
      expect([removed.status, statuses.every((status) => status === 422)]).toEqual(
        removed.status === 204 ? [204, true] : [409, false],
      );
      for (const { status, body } of made) expect([201, 422]).toContain(status === 201 ? 201 : body.error && status);
      const [left] = await manager.sql<{ secrets: string; uses: string }>(
        `SELECT (SELECT count(*) FROM managed_secrets WHERE id = $1) AS secrets,
                (SELECT count(*) FROM connector_secrets WHERE secret_id = $1) AS uses`,
        [id],
      );
      expect(left).toEqual(
        removed.status === 204
          ? { secrets: '0', uses: '0' }
          : { secrets: '1', uses: String(statuses.filter((status) => status === 201).length) },
      );
    }
  }, 60_000);

  it('cannot delete a secret in use even in the database', async () => {
    const { id } = await makeSecret(manager);
    await makeUser(manager, id);
    await expect(manager.sql('DELETE FROM managed_secrets WHERE id = $1', [id])).rejects.toThrow(
      /connector_secrets_secret_fkey/,
    );
  });

  it('lists pages in both directions while secrets are created and deleted', async () => {
    const made: Secret[] = [];
    for (let n = 0; n < 12; n += 1) made.push(await makeSecret(manager));
    const ids: string[] = [];
    let page = await list({ limit: 5 });
    for (;;) {
      ids.push(...page.items.map(({ id }) => id));
      const gone = made.find(({ id }) => ids.includes(id));
      if (gone) await send(DELETE, gone.id);
      await makeSecret(manager);
      if (page.next_cursor === undefined || ids.length > 200) break;
      page = await list({ limit: 5, cursor: page.next_cursor });
    }
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of made) expect(ids).toContain(id);
    const forward = ids.slice(-page.items.length - 5, -page.items.length);
    const back = await list({ limit: 5, before: page.prev_cursor ?? '' });
    expect(back.items.map(({ id }) => id).slice(-3)).toEqual(forward.slice(-3));
  });

  it('records an audit event with field names and no value for each change', async () => {
    const { id } = await makeSecret(manager, 'audited value');
    await send(UPDATE, id, { value: 'next audited value' });
    await send(DELETE, id);
    const rows = await manager.sql<{ operation: string; changed_fields: string[]; line: string }>(
      'SELECT operation, changed_fields, e::text AS line FROM audit_events e WHERE object_id = $1 ORDER BY occurred_at, id',
      [id],
    );
    expect(rows.map(({ operation, changed_fields }) => [operation, changed_fields])).toEqual([
      ['Create managed secret', ['name', 'value']],
      ['Update managed secret', ['value']],
      ['Delete managed secret', []],
    ]);
    expect(rows.map(({ line }) => line).join()).not.toContain('audited value');
  });
});
