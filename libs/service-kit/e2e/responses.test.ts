import { describe, expect, it } from '@jest/globals';
import { computeETag } from '../src/http/etag.ts';
import { admin, call, CANARY, lines, start, stored } from './things.ts';

describe('entity tags', () => {
  const etag = computeETag(stored);
  it('answer a read of an unchanged object with 304', async () => {
    expect((await call('/v1/things/a', { as: admin })).headers.get('etag')).toBe(etag);
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await call('/v1/things/a', { as: admin, headers: { 'if-none-match': header } });
      expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await call('/v1/things/a', { as: admin, headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  it.each([
    [undefined, 428],
    ['"stale"', 412],
    [`W/${computeETag(stored)}`, 412],
    ['rubbish', 400],
    [computeETag(stored), 200],
    ['*', 200],
  ])('answer a write with If-Match %s with %i', async (ifMatch, status) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    expect((await call('/v1/things/a', { as: admin, method: 'PUT', json: { name: 'x' }, headers })).status).toBe(
      status,
    );
  });

  it.each(['*', '"x"', 'rubbish', ''])('refuse a write with If-None-Match %j', async (header) => {
    const headers = { 'if-none-match': header, 'if-match': etag };
    for (const write of [
      { path: '/v1/things/a', method: 'PUT', json: { name: 'x' } },
      { path: '/v1/things', method: 'POST', json: { name: 'x' } },
      { path: '/v1/things/a', method: 'DELETE' },
    ]) {
      const { path, ...rest } = write;
      const reply = await call(path, { ...rest, as: admin, headers });
      expect([reply.status, reply.body]).toEqual([
        400,
        { error: 'If-None-Match: must not be sent with a change; send If-Match instead' },
      ]);
    }
    expect((await call('/v1/things', { method: 'POST', headers })).status).toBe(401);
  });

  it('ignore If-Match of a read', async () => {
    for (const header of ['"stale"', '*', 'rubbish']) {
      const reply = await call('/v1/things/a', { as: admin, headers: { 'if-match': header } });
      expect([reply.status, reply.headers.get('etag')]).toEqual([200, etag]);
    }
  });
});

describe('failures', () => {
  it('have Retry-After for 429 and 503', async () => {
    expect((await call('/v1/things/fail/busy')).headers.get('retry-after')).toBe('7');
    expect((await call('/v1/things/fail/down')).headers.get('retry-after')).toBe('1');
  });

  it('show only the request id after an unexpected error', async () => {
    const reply = await call('/v1/things/fail/bug', { headers: { 'x-request-id': 'r-500' } });
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ error: 'an unexpected error occurred; report it with the request id r-500' });
  });

  it('have codes, request id and pointers in the style codes', async () => {
    const codes = await start({ failureStyle: 'codes' });
    const reply = await call('/v1/things', {
      at: codes.url,
      as: admin,
      json: { name: '', 'a/b': 1 },
      headers: { 'x-request-id': 'r-1' },
    });
    expect(reply.body).toEqual({
      error: 'invalid_request',
      requestId: 'r-1',
      violations: [
        { field: '/name', message: 'must have at least 1 character' },
        { field: '/a~1b', message: 'is not a known field' },
      ],
    });
    expect((await call('/nothing', { at: codes.url })).body).toMatchObject({ error: 'not_found', violations: [] });
  });
});

describe('request context', () => {
  it('keeps a printable request id and replaces others', async () => {
    for (const id of ['a', 'A b~1', 'x'.repeat(128)])
      expect((await call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
    for (const id of ['x'.repeat(129), 'ä', '']) {
      expect((await call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
  });

  it('is forwarded with outgoing calls after a body was read', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const echoed = await call('/v1/things/echo/headers', {
      method: 'PUT',
      json: {},
      headers: { 'x-request-id': 'r-2', traceparent },
    });
    expect(echoed.body).toEqual({ 'x-request-id': 'r-2', traceparent });
    const minted = await call('/v1/things/echo/headers', {
      method: 'PUT',
      json: {},
      headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` },
    });
    expect(minted.body['traceparent']).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it('is logged in JSON lines without secrets', async () => {
    lines.length = 0;
    await call(`/v1/things?name=${CANARY}`, {
      as: admin,
      headers: { cookie: `session=${CANARY}`, 'x-request-id': 'r-3' },
    });
    await call(`/v1/things/fail/bug?access_token=${CANARY}`, {
      headers: { authorization: `Bearer ${CANARY}`, 'x-api-key': CANARY, 'x-request-id': 'r-4' },
    });
    await call(`/${CANARY}`);
    await call('/v1/things', { as: admin, json: { name: CANARY, secret: CANARY } });
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.every((line) => line.endsWith('\n') && !line.slice(0, -1).includes('\n'))).toBe(true);
    expect(records.filter((record) => record['message'] === 'request').map((record) => record['status'])).toEqual([
      200, 500, 404, 400,
    ]);
    expect(records.find((record) => record['request_id'] === 'r-3')).toMatchObject({
      service: 'things',
      route: '/v1/things',
      status: 200,
      subject: 'alice',
    });
    expect(records.find((record) => record['message'] === 'unexpected failure')).toMatchObject({
      request_id: 'r-4',
      level: 'error',
      err: { name: 'Error' },
    });
    expect(lines.join('')).not.toContain(CANARY);
    expect(lines.join('')).not.toContain(admin);
  });
});
