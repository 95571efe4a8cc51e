import { describe, expect, it } from '@jest/globals';
import { admin, call, rawCall, token } from './things.ts';
import type { Call } from './things.ts';

describe('request body', () => {
  const post = (extra: Call) => call('/v1/things', { as: admin, ...extra });
  it.each<[string, unknown, string]>([
    ['a short text', { name: '' }, 'name: must have at least 1 character'],
    ['a long text', { name: 'x'.repeat(21) }, 'name: must have at most 20 characters'],
    ['a missing field', {}, 'name: is required'],
    ['null', { name: null }, 'name: must be a string'],
    ['another type', { name: 7 }, 'name: must be a string'],
    ['a decimal number', { name: 'x', size: 1.5 }, 'size: must be an integer'],
    ['an unknown field', { name: 'x', colour: 'red' }, 'colour: is not a known field'],
    [
      'nested fields',
      { name: 'x', parts: [{ sku: 'a' }, { sku: 1, extra: 2 }] },
      'parts[1].sku: must be a string; parts[1].extra: is not a known field',
    ],
    ['a list', [], 'body: must be an object'],
  ])('is refused with the name of the field for %s', async (_, json, error) => {
    expect(await post({ json })).toMatchObject({ status: 400, body: { error } });
  });

  it.each<[string, string | Buffer, string]>([
    ['broken JSON', '{"name":', 'body: is not valid JSON'],
    ['no body', '', 'body: is required'],
    ['a key twice', '{"name":"a","n\\u0061me":"b"}', 'body: the key "name" is there twice in one object'],
    [
      'a key twice deep inside',
      '{"name":"a","parts":[{"sku":"a","sku":"b"}]}',
      'body: the key "sku" is there twice in one object',
    ],
    ['__proto__', '{"name":"a","__proto__":{}}', 'body: the key "__proto__" is not allowed'],
    ['constructor', '{"name":"a","constructor":{"prototype":1}}', 'body: the key "constructor" is not allowed'],
    ['NUL', '{"name":"a\\u0000"}', 'name: must not contain the character NUL (U+0000)'],
    [
      'a nested NUL',
      '{"name":"a","parts":[{"sku":"\\u0000"}]}',
      'parts[0].sku: must not contain the character NUL (U+0000)',
    ],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'name: must not contain half of a surrogate pair'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'body: is not valid UTF-8'],
  ])('is refused for %s', async (_, raw, error) => {
    expect(await post({ raw, method: 'POST' })).toMatchObject({ status: 400, body: { error } });
  });

  it.each<[string, string, string]>([
    ['nesting', `{"name":${'['.repeat(100)}${']'.repeat(100)}}`, 'body: is nested deeper than 100 levels'],
    ['values', `{"name":[${'{},'.repeat(50_000)}{}]}`, 'body: has more than 50,000 values'],
    ['keys', `{${'"a":1,'.repeat(50_000)}"a":1}`, 'body: has more than 50,000 values'],
  ])('that has too many %s is 413', async (_, raw, error) => {
    expect(await post({ raw, method: 'POST' })).toMatchObject({ status: 413, body: { error } });
  });

  it.each<[string, string, Call, string]>([
    [
      'a body',
      '/v1/things/b',
      { method: 'DELETE', json: { role: 'owner', at: 1 } },
      'role: is not a known field; at: is not a known field',
    ],
    [
      'a body that is a list',
      '/v1/things/b',
      { method: 'DELETE', json: [] },
      'body: must be empty, since the operation has no request body',
    ],
    ['a query', '/v1/things/who/me?limit=1', {}, 'limit: is not a known field'],
    ['a query of a write', '/v1/things/b?force=true', { method: 'DELETE' }, 'force: is not a known field'],
  ])('and query are refused if the operation has none: %s', async (_, path, extra, error) => {
    expect(await call(path, { as: admin, ...extra })).toMatchObject({ status: 400, body: { error } });
  });

  it('may be empty if the operation has none', async () => {
    for (const json of [undefined, {}, null])
      expect((await call('/v1/things/b', { as: admin, method: 'DELETE', json })).body).toMatchObject({
        error: 'no active directory entry',
      });
  });

  it('may contain escapes in its strings', async () => {
    const reply = await post({ raw: '{"name":"\\"a\\\\\\":\\ud83d\\ude00"}' });
    expect(reply).toMatchObject({ status: 201, body: { id: 'b', name: '"a\\":😀' } });
    expect(reply.headers.get('location')).toBe('/v1/things/b');
  });

  it('has the size limit of its route', async () => {
    const text = 'x'.repeat(1024 * 1024);
    expect(await post({ json: { name: text } })).toMatchObject({
      status: 413,
      body: { error: 'body: is larger than this operation takes' },
    });
    const gateway = await token(['gateway']);
    const longest = text.slice(2);
    expect((await call('/v1/things/batch', { as: gateway, json: { text: longest } })).body).toEqual({
      length: longest.length,
    });
    expect(await call('/v1/things/batch', { as: gateway, json: { text } })).toMatchObject({
      status: 413,
      body: { error: 'text: has more than 1 MiB of JSON text' },
    });
    expect((await call('/v1/things/batch', { as: gateway, json: { text: text.repeat(8) } })).status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('of the type %s is 415', async (type) => {
    expect((await post({ raw: '{"name":"a"}', headers: { 'content-type': type } })).status).toBe(415);
  });
});

describe('the charset of a body', () => {
  const post = (type: string) =>
    call('/v1/things', { as: admin, raw: '{"name":"a"}', headers: { 'content-type': type } });

  it.each(['; charset=utf-8', ';charset="UTF-8"', '; charset=utf8', '; v=1; Charset=Utf-8'])(
    'may be given as %s',
    async (rest) => {
      expect((await post(`application/json${rest}`)).status).toBe(201);
    },
  );

  it.each([
    '; charset=utf-16',
    '; charset=iso-8859-1',
    ';CHARSET="utf-16le"',
    '; charset=utf-8; charset=utf-16',
    '; charset=us-ascii',
    '; charset="utf-8',
  ])('is refused as %s', async (rest) => {
    const reply = await post(`application/json${rest}`);
    expect([reply.status, reply.body]).toEqual([415, { error: expect.stringMatching(/^Content-Type: /) }]);
  });
});

describe('parameters', () => {
  const list = (query: string) => call(`/v1/things${query}`, { as: admin });
  it.each([
    ['', 50],
    ['?limit=1', 1],
    ['?limit=200', 200],
    ['?limit=201', 200],
    ['?limit=999999999', 200],
  ])('read %j as the limit %i', async (query, limit) => {
    expect((await list(query)).body['limit']).toBe(limit);
  });

  it.each(['0', '-1', 'abc', '1.5', '1e2', '', '%20', '0x10', '+5'])('refuse limit=%s', async (limit) => {
    const reply = await list(`?limit=${limit}`);
    expect(reply.status).toBe(400);
    expect(reply.body['error']).toMatch(/^limit: must be/);
  });

  it.each([
    ['?colour=red', 'colour: is not a known field'],
    ['?__proto__=1', '__proto__: is not a known field'],
    ['?name=%00', 'name: must not contain the character NUL (U+0000)'],
    ['?name=a&name=b', 'name: must be sent only once'],
    ['?limit=1&limit=2', 'limit: must be sent only once'],
    ['?active=yes', 'active: must be one of "true", "false"'],
    ['?cursor=a&before=b', 'before: must not be given together with cursor'],
  ])('refuse %s: %s', async (query, error) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error } });
  });

  it('can be the rest of a path, with slashes', async () => {
    const on = (rest: string) => call(`/v1/things/on/a%2Fb/${rest}`, { as: admin });
    for (const [rest, label] of [
      ['plain', 'plain'],
      ['org/model', 'org/model'],
      ['org%2Fmodel/x', 'org/model/x'],
      ['%25%20%3F', '% ?'],
    ] as const)
      expect((await on(rest)).body).toEqual({ shelf: 'a/b', label });
    expect(await on('x'.repeat(41))).toMatchObject({
      status: 400,
      body: { error: 'label: must have at most 40 characters' },
    });
    expect(await on('%00')).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^label: /) } });
    const { paths } = (await call('/api/doc/openapi.json', {})).body as { paths: Record<string, { get?: object }> };
    expect(paths['/v1/things/on/{shelf}/{label}']?.get).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ in: 'path', name: 'label', required: true })]),
    });
  });

  it('accept a cursor only with its filters and its caller', async () => {
    const { next_cursor: next } = (await list('?name=a')).body as { next_cursor: string };
    expect((await list(`?name=a&cursor=${next}`)).body['position']).toEqual(['2026-01-01', 7]);
    expect((await list(`?name=b&cursor=${next}`)).status).toBe(400);
    expect(
      (await call(`/v1/things?name=a&cursor=${next}`, { as: await token(['admin'], { sub: 'bob' }) })).status,
    ).toBe(400);
    expect(await list('?cursor=rubbish')).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^cursor: is not a cursor/) },
    });
  });

  it.each([
    ['/v1/things/%00', 400],
    ['/v1/things/%', 400],
    ['/v1/things/%ff', 400],
    [`/v1/things/${'x'.repeat(41)}`, 400],
    [`/v1/things/${'x'.repeat(2000)}`, 400],
    ['/v1/things/', 404],
    ['/nothing', 404],
    ['/v1/things/..%2f..%2fetc', 200],
  ])('answer the path %s with %i', async (path, status) => {
    const reply = await call(path, { as: admin });
    expect(reply.status).toBe(status);
    if (status !== 200) expect(Object.keys(reply.body)).toEqual(['error']);
    expect(reply.headers.get('x-request-id')).toMatch(/./);
  });
});

describe('paths and methods', () => {
  it('name the methods of a path in Allow', async () => {
    const reply = await call('/v1/things/batch', { method: 'PATCH', as: admin });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, POST, PUT']);
  });

  it.each([
    ['application/json', '{"broken'],
    ['application/merge-patch+json', '{}'],
    ['text/plain', 'x'],
  ])('are checked before a body of %s', async (type, raw) => {
    const send = (method: string, path: string) => call(path, { method, raw, headers: { 'content-type': type } });
    expect((await send('PATCH', '/v1/things/batch')).status).toBe(405);
    expect((await send('POST', '/nothing')).status).toBe(404);
  });

  it('have failure bodies for invalid HTTP and large headers', async () => {
    expect(await rawCall('rubbish\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"error":"the request is not well-formed HTTP"\}$/,
    );
    expect(await rawCall(`GET / HTTP/1.1\r\nhost: x\r\nx-pad: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*\{"error":"headers: /,
    );
  });
});
