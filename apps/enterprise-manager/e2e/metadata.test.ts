import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readDatabaseState } from './state.ts';

interface Metadata {
  entity_id: string;
  entity_kind: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}
interface Failure {
  error: string;
}
type Kind = 'user' | 'group';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const LIMIT = 64 * 1024;
/** Creates a document whose JSON text has exactly this number of bytes. */
const createDocument = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
const createNested = (levels: number): unknown => (levels === 0 ? 'bottom' : { next: createNested(levels - 1) });

describe.each(['user', 'group'] as const)('metadata of a %s', (kind: Kind) => {
  let manager: TestManager;
  let made = 0;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const getOperation = (method: 'GET' | 'PUT' | 'DELETE') => `${method} /v1/${kind}s/{id}/metadata`;
  const call = <Body>(method: 'GET' | 'PUT' | 'DELETE', id: string, options: object = {}) =>
    manager.client.call<Body>(getOperation(method), { token: manager.tokens.admin, path: { id }, ...options });
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    call<Failure | undefined>('PUT', id, { body, headers });
  const read = (id: string, headers: Record<string, string> = {}) => call<Metadata>('GET', id, { headers });
  const createEntity = async (): Promise<string> => {
    made += 1;
    if (kind === 'group') {
      const body = { display_name: `Group ${made}` };
      const group = await manager.client.call<{ id: string }>('POST /v1/groups', { token: manager.tokens.admin, body });
      return group.body.id;
    }
    const [row] = await manager.sql<{ id: string }>(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), 'i', $1, $1, $1, $1, 'config', TRUE, $1, now(), now()) RETURNING id`,
      [`user-${made}`],
    );
    return row?.id ?? '';
  };
  const listAuditEvents = async (id: string) =>
    (
      await manager.sql<{ operation: string; changed_fields: string[] }>(
        `SELECT operation, changed_fields FROM audit_events WHERE object_id = $1 AND operation LIKE '%metadata' ORDER BY occurred_at, id`,
        [id],
      )
    ).map(({ operation, changed_fields }) => [operation, changed_fields]);

  it('is any JSON object, is returned unchanged, and is replaced completely by a PUT', async () => {
    const id = await createEntity();
    const document = {
      text: 'Größe 🚀 \u2028',
      number: -1.5e-7,
      yes: true,
      nothing: null,
      list: [1, 'two', { three: [] }],
      '': 'an empty key',
      'a.b/c~d': {},
    };
    expect((await put(id, document)).status).toBe(204);
    const first = await read(id);
    expect(first.body).toEqual({
      entity_id: id,
      entity_kind: kind,
      metadata: document,
      created_at: first.body.created_at,
      updated_at: first.body.created_at,
    });
    expect((await put(id, { other: 1 })).status).toBe(204);
    const second = await read(id);
    expect(second.body.metadata).toEqual({ other: 1 });
    expect(second.body.created_at).toBe(first.body.created_at);
    expect((await put(id, {})).status).toBe(204);
    expect((await read(id)).body.metadata).toEqual({});
  });

  it(`is not found (404) if it or the ${kind} does not exist, and after a delete`, async () => {
    const id = await createEntity();
    expect([(await read(id)).status, (await call<Failure>('GET', id)).body.error]).toEqual([
      404,
      `this ${kind} has no metadata`,
    ]);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { body: {} } : {};
      const response = await call<Failure>(method, UNKNOWN_ID, body);
      expect([response.status, response.body.error]).toEqual([404, `there is no such ${kind}`]);
      expect((await call(method, 'no-uuid', body)).status).toBe(400);
    }
    await put(id, { a: 1 });
    expect((await call('DELETE', id)).status).toBe(204);
    expect((await read(id)).status).toBe(404);
    expect((await call('DELETE', id)).status).toBe(204);
    expect(await listAuditEvents(id)).toEqual([
      [`Put ${kind} metadata`, ['metadata']],
      [`Delete ${kind} metadata`, ['metadata']],
    ]);
  });

  it('does not change by an equal PUT, and its values are not in the audit trail', async () => {
    const id = await createEntity();
    await put(id, { a: 'planted value', b: [1] });
    const before = await readDatabaseState(manager);
    await put(id, { b: [1], a: 'planted value' });
    expect(await readDatabaseState(manager)).toBe(before);
    expect(await listAuditEvents(id)).toHaveLength(1);
    const rows = await manager.sql('SELECT 1 FROM audit_events AS e WHERE e::text LIKE $1', ['%planted value%']);
    expect(rows).toEqual([]);
  });

  it('has an ETag, with 304 for a current read, 412 for an old write, and one success of two parallel writes', async () => {
    const id = await createEntity();
    expect((await put(id, { n: 0 }, { 'if-match': '*' })).status).toBe(412);
    expect((await call('DELETE', id, { headers: { 'if-match': '"any"' } })).status).toBe(412);
    await put(id, { n: 1 });
    const etag = (await read(id)).headers.get('etag') ?? '';
    expect((await read(id, { 'if-none-match': etag })).status).toBe(304);
    const responses = await Promise.all([2, 3, 4].map((n) => put(id, { n }, { 'if-match': etag })));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 412, 412]);
    expect((await call('DELETE', id, { headers: { 'if-match': etag } })).status).toBe(412);
    expect((await read(id, { 'if-none-match': etag })).status).toBe(200);
    expect((await put(id, { n: 5 }, { 'if-match': 'bare' })).status).toBe(400);
    expect((await put(id, { n: 5 }, { 'if-match': '*' })).status).toBe(204);
  });

  it('is limited to 64 KiB in any order of its keys', async () => {
    const id = await createEntity();
    expect((await put(id, createDocument(LIMIT))).status).toBe(204);
    expect((await read(id)).body.metadata).toEqual(createDocument(LIMIT));
    const more = await put(id, createDocument(LIMIT + 1));
    expect([more.status, more.body?.error]).toEqual([413, expect.stringMatching(/metadata.*65536.*65537/)]);
    const blanks = await call('PUT', id, { raw: { body: `{${' '.repeat(LIMIT * 2)}"a": 1}` } });
    expect(blanks.status).toBe(204);
  });

  it.each([
    ['1 MiB', createDocument(1024 * 1024), 413, 'metadata'],
    ['a body above the general limit', createDocument(1024 * 1024 + 1), 413, 'body'],
    ['characters of four bytes', { text: '🚀'.repeat(LIMIT / 4) }, 413, 'metadata'],
    ['17 levels', createNested(17), 413, 'nested'],
    ['1,001 keys', Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, n])), 413, 'keys'],
    ['a list', [1], 400, 'body'],
    ['a text', 'text', 400, 'body'],
    ['null', null, 400, 'body'],
    ['a NUL character in a value', { deep: { text: 'a\u0000b' } }, 400, 'deep.text'],
    ['a NUL character in a key', { 'a\u0000b': 1 }, 400, 'NUL'],
    ['an unpaired surrogate', { half: '\ud83d' }, 400, 'half'],
  ])('is refused with %s, and the stored document does not change', async (_, document, status, named) => {
    const id = await createEntity();
    await put(id, { kept: true });
    const before = await readDatabaseState(manager);
    const response = await put(id, document);
    expect([response.status, response.body?.error]).toEqual([status, expect.stringContaining(named)]);
    expect(await readDatabaseState(manager)).toBe(before);
    expect(await listAuditEvents(id)).toHaveLength(1);
  });

  it.each([
    ['1,000 levels', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 413, 'nested'],
    ['an incomplete document', '{"a":', 400, 'JSON'],
    ['a duplicate key', '{"a":1,"a":2}', 400, '"a"'],
    ['the key __proto__', '{"a":{"__proto__":{}}}', 400, '__proto__'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'UTF-8'],
    ['an empty body', '', 400, 'body'],
  ])('is refused with %s', async (_, body, status, named) => {
    const id = await createEntity();
    const before = await readDatabaseState(manager);
    const response = await call<Failure>('PUT', id, { raw: { body } });
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(named)]);
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it('keeps numbers exactly as they were written', async () => {
    const id = await createEntity();
    const body =
      '{"a":0.1234567890123456789,"b":[{"id":9007199254740993}],"c":1e400,"d":1.50,"e":-0,"f":1E5,"g":12,"h":"1.50"}';
    expect((await call('PUT', id, { raw: { body } })).status).toBe(204);
    const response = await fetch(`${manager.baseUrl}/v1/${kind}s/${id}/metadata`, {
      headers: { authorization: `Bearer ${manager.tokens.admin}` },
    });
    const [first, tag] = [await response.text(), response.headers.get('etag') ?? ''];
    expect(first).toContain(`"metadata":${body}`);
    const changed = body.replace('6789,', '6780,');
    expect((await call('PUT', id, { raw: { body: changed }, headers: { 'if-match': tag } })).status).toBe(204);
    const stale = await call('PUT', id, { raw: { body }, headers: { 'if-match': tag } });
    expect(stale.status).toBe(412);
  });

  it('must be an object', async () => {
    for (const body of ['1.50', '[1.50]'])
      expect((await call('PUT', await createEntity(), { raw: { body } })).status).toBe(400);
  });

  it('must have the content type of JSON', async () => {
    const id = await createEntity();
    const response = await call<Failure>('PUT', id, {
      raw: { body: 'a=1', contentType: 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(415);
  });

  it(`is deleted with the ${kind}, and is allowed for a provisioned ${kind}`, async () => {
    const id = await createEntity();
    await manager.sql(`UPDATE ${kind}s SET source = 'scim' WHERE id = $1`, [id]);
    expect((await put(id, { ours: true })).status).toBe(204);
    expect((await read(id)).body.metadata).toEqual({ ours: true });
    await manager.sql(`DELETE FROM ${kind}s WHERE id = $1`, [id]);
    expect((await read(id)).status).toBe(404);
    expect(await manager.sql(`SELECT 1 FROM ${kind}_metadata WHERE ${kind}_id = $1`, [id])).toEqual([]);
  });

  it(`is stored with the ${kind} or not at all if the ${kind} is deleted at the same moment`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createEntity();
      const [response] = await Promise.all([
        put(id, { round }),
        manager.sql(`DELETE FROM ${kind}s WHERE id = $1`, [id]),
        put(id, { round: -round }),
      ]);
      expect([204, 404]).toContain(response.status);
      expect(await manager.sql(`SELECT 1 FROM ${kind}_metadata WHERE ${kind}_id = $1`, [id])).toEqual([]);
    }
  });
});
