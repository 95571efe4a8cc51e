import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readDatabaseState } from './state.ts';

interface Failure {
  error: string;
}

const MIB = 1024 * 1024;

describe('directory operations with invalid input', () => {
  let manager: TestManager;
  let group: string;
  beforeAll(async () => {
    manager = await startManager();
    const made = await manager.client.call<{ id: string }>('POST /v1/groups', {
      token: manager.tokens.admin,
      body: { display_name: 'As it was' },
    });
    group = made.body.id;
  }, 60_000);
  afterAll(() => manager.close());

  const expectRefusal = async (operation: string, options: object, status: number, named: string) => {
    const before = await readDatabaseState(manager);
    const response = await manager.client.call<Failure>(operation, {
      token: manager.tokens.admin,
      path: { id: group },
      ...options,
    });
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(named)]);
    expect(await readDatabaseState(manager)).toBe(before);
  };

  describe.each(['POST /v1/groups', 'PATCH /v1/groups/{id}'])('%s', (operation) => {
    it.each([
      ['1,000 levels of lists', `{"description":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 413, 'nested'],
      ['1,000 levels of objects', `${'{"description":'.repeat(1_000)}1${'}'.repeat(1_000)}`, 413, 'nested'],
      ['a million brackets', '['.repeat(MIB - 1), 413, 'nested'],
      ['400,000 values', `{"description":[${'0,'.repeat(400_000)}0]}`, 413, 'more than 50,000 values'],
      ['60,000 unknown fields', `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join()}}`, 413, 'values'],
      ['40,000 unknown fields', `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":0`).join()}}`, 400, 'more'],
      ['a name of almost 1 MiB', JSON.stringify({ display_name: 'x'.repeat(MIB - 100) }), 400, 'display_name'],
      ['a body of more than 1 MiB', JSON.stringify({ display_name: 'x'.repeat(MIB) }), 413, 'body'],
      ['a duplicate field', '{"display_name":"a","display_name":"b"}', 400, 'display_name'],
      ['the field __proto__', '{"display_name":"a","__proto__":{"source":"scim"}}', 400, '__proto__'],
      ['a list', '[{"display_name":"a"}]', 400, 'body'],
      ['an empty body', '', 400, 'body'],
      ['a body that is not JSON', 'display_name=a', 400, 'JSON'],
    ])('refuses %s', (_, body, status, named) => expectRefusal(operation, { raw: { body } }, status, named));

    it.each([
      ['display_name', 7],
      ['display_name', ['a']],
      ['display_name', { toString: 'a' }],
      ['description', null],
      ['description', 'x'.repeat(2_001)],
      ['members', []],
      ['id', '00000000-0000-4000-8000-000000000000'],
      ['display_name', 'bell\u0007'],
      ['display_name', 'line\u2028separator'],
      ['display_name', 'back\u0008space'],
      ['display_name', 'c1 \u0085 control'],
      ['display_name', '\u200b\u2060'],
      ['description', 'escape \u001b[2J'],
    ])('refuses %s = %j', (field, value) =>
      expectRefusal(operation, { body: { display_name: 'ok', [field]: value } }, 400, field),
    );

    it('refuses a body whose content type is not JSON', () =>
      expectRefusal(
        operation,
        { raw: { body: '{"display_name":"a"}', contentType: 'text/plain' } },
        415,
        'Content-Type',
      ));
  });

  describe.each([
    ['GET /v1/users', ['email', 'user_name', 'source', 'search']],
    ['GET /v1/groups', ['name', 'display_name', 'source', 'search']],
    ['GET /v1/groups/{id}/members', ['search']],
  ] as const)('%s', (operation, filters) => {
    it.each(filters)('refuses %s unless it is a single line of text', async (filter) => {
      // An empty search equals no search.
      for (const value of [
        ...(filter === 'search' ? [] : ['']),
        'a\u0000b',
        'a\nb',
        '\u001b',
        'x'.repeat(257),
        ['a', 'b'],
      ])
        await expectRefusal(operation, { query: { [filter]: value } }, 400, filter);
    });

    it.each([
      ['colour', 'red'],
      ['offset', '5'],
      ['__proto__', 'x'],
    ])('refuses the unknown parameter %s', (name, value) =>
      expectRefusal(operation, { query: Object.fromEntries([[name, value]]) }, 400, name),
    );

    it('treats SQL syntax and wildcards as plain text', async () => {
      for (const search of [
        "'; DROP TABLE users; --",
        '%',
        '_',
        '\\',
        '%%%%%%%%%%%%%%%%%%%%x',
        '$1',
        '\u0130\u0131ß'.repeat(60),
      ]) {
        const response = await manager.client.call<Record<string, unknown[]>>(operation, {
          token: manager.tokens.admin,
          path: { id: group },
          query: { search },
        });
        expect(response.status).toBe(200);
        expect(Object.values(response.body).flat()).toEqual([]);
      }
    });
  });

  it('returns an ETag for a user, and 304 for a request with this ETag', async () => {
    const id = await manager.findUserId('alice');
    const read = (headers: Record<string, string> = {}) =>
      manager.client.call('GET /v1/users/{id}', { token: manager.tokens.auditor, path: { id }, headers });
    const etag = (await read()).headers.get('etag') ?? '';
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    await manager.sql("UPDATE users SET display_name = 'Alice Other' WHERE id = $1", [id]);
    expect((await read({ 'if-none-match': etag })).status).toBe(200);
  });
});
