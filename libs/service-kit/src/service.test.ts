import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Inject, Module, Param, Post, Put, Query } from '@nestjs/common';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Caller } from './access.ts';
import { callerOf, CurrentCaller, Public, Requires } from './access.ts';
import { loadConfig, serviceSettings } from './config.ts';
import { CursorCodec } from './cursor.ts';
import { etagOf, IfMatch, requireMatch, withETag, withHeaders } from './etag.ts';
import { Log } from './log.ts';
import { BATCH_BODY_BYTES, Operation } from './operation.ts';
import { booleanParameter, pageParameters, refuseBothCursors } from './paging.ts';
import { Readiness } from './readiness.ts';
import { Refusal } from './refusal.ts';
import { outgoingHeaders } from './request-context.ts';
import { createService } from './start.ts';
import type { ForbiddenEvent, Service, ServiceOptions } from './start.ts';

const ISSUER = 'https://id.example.test';
const CANARY = 'canary-7f3a';

const Thing = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Thing' });
const ThingCreate = z
  .strictObject({
    name: z.string().min(1).max(20),
    size: z.number().int().optional(),
    parts: z.array(z.strictObject({ sku: z.string() })).optional(),
  })
  .meta({ id: 'ThingCreate' });
type ThingCreate = z.infer<typeof ThingCreate>;
const ThingQuery = z.strictObject({
  ...pageParameters(50, 200),
  name: z.string().optional(),
  active: booleanParameter().optional(),
});
type ThingQuery = z.infer<typeof ThingQuery>;
const ThingPath = z.strictObject({ id: z.string().min(1).max(40) });
type ThingPath = z.infer<typeof ThingPath>;

const ok = (summary: string, errors: number[] = []) => ({ summary, success: { status: 200, schema: Thing }, errors });
const stored = { id: 'a', name: 'stored' };

@Controller('v1/things')
class ThingsController {
  constructor(
    @Inject(CursorCodec) private readonly cursors: CursorCodec,
    @Inject(Log) private readonly log: Log,
    @Inject(Readiness) private readonly readiness: Readiness,
  ) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation(ok('List things'))
  list(@Query({ schema: ThingQuery }) query: ThingQuery, @CurrentCaller() caller: Caller) {
    refuseBothCursors(query);
    const { cursor, before: _, limit, ...filters } = query;
    const binding = { list: 'things', filters, caller };
    const position = cursor === undefined ? null : this.cursors.open(binding, cursor);
    return { limit, position, next_cursor: this.cursors.seal(binding, ['2026-01-01', 7]), active: query.active };
  }

  @Post()
  @Requires('admin')
  @Operation({ summary: 'Create thing', success: { status: 201, schema: Thing, headers: ['Location'] }, errors: [] })
  create(@Body({ schema: ThingCreate }) body: ThingCreate) {
    return withHeaders({ id: 'b', ...body }, { location: '/v1/things/b' });
  }

  @Post('batch')
  @Requires('gateway')
  @Operation({
    summary: 'Batch of things',
    success: { status: 200, schema: Thing },
    errors: [],
    bodyLimit: BATCH_BODY_BYTES,
  })
  batch(@Body({ schema: z.strictObject({ text: z.string() }) }) body: { text: string }) {
    return { length: body.text.length };
  }

  @Get('who/me')
  @Requires('user')
  @Operation(ok('Who am I'))
  me(@CurrentCaller() caller: Caller) {
    return { subject: caller.subject, issuer: caller.issuerId, roles: [...caller.roles], request: caller.requestId };
  }

  @Get('who/any')
  @Requires('any')
  @Operation(ok('Who is anybody'))
  any() {
    return {};
  }

  @Get('fail/:how')
  @Public()
  @Operation(ok('Fail', [404]))
  fail(@Param('how') how: string): never {
    if (how === 'busy') throw new Refusal('rate_limited', 'too many', { retryAfterSeconds: 6.5 });
    if (how === 'down') throw new Refusal('unavailable', 'the database is down');
    this.log.warn(
      {
        authorization: `Bearer ${CANARY}`,
        nested: { client_secret: CANARY, url: `https://x.test/?access_token=${CANARY}&a=1` },
      },
      `about to fail with ?key=${CANARY}`,
    );
    throw new Error(`connection string postgres://gatehouse:${CANARY}@db refused`);
  }

  @Get('slow/request')
  @Public()
  @Operation(ok('Slow'))
  async slow() {
    await new Promise((resolve) => this.readiness.shutdown.addEventListener('abort', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return outgoingHeaders();
  }

  @Put('echo/headers')
  @Public()
  @Operation(ok('Echo'))
  echo() {
    return outgoingHeaders();
  }

  @Get('own/:id')
  @Requires('user')
  @Operation({ ...ok('Own thing', [404]), success: { status: 200, schema: Thing } })
  own(@Param({ schema: ThingPath }) path: ThingPath): never {
    throw new Refusal('not_found', `there is no thing with the id ${path.id}`);
  }

  @Get(':id')
  @Requires('admin')
  @Operation({ ...ok('Get thing', [404]), ifNoneMatch: true })
  get(@Param({ schema: ThingPath }) _path: ThingPath) {
    return withETag(stored, etagOf(stored));
  }

  @Put(':id')
  @Requires('admin')
  @Operation({ ...ok('Put thing', [404]), ifMatch: 'required' })
  put(@Body({ schema: ThingCreate }) _body: ThingCreate, @IfMatch() ifMatch: string | undefined) {
    requireMatch(ifMatch, etagOf(stored), 'required');
    return stored;
  }

  @Delete(':id')
  @Requires('user')
  @Operation({ summary: 'Delete thing', success: { status: 204 }, errors: [403] })
  remove(): never {
    throw new Refusal('forbidden', 'no active directory entry');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const keys = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' };
let jwksDown = false;
const issuerFetch: typeof fetch = () =>
  jwksDown ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(Response.json({ keys: [jwk] }));

const token = (roles: string[], claims: Record<string, unknown> = {}) =>
  new SignJWT({ roles, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(ISSUER)
    .setAudience('gatehouse')
    .setSubject('alice')
    .setExpirationTime('5m')
    .sign(keys.privateKey);

const lines: string[] = [];
const forbidden: ForbiddenEvent[] = [];
const open: Service[] = [];

const roleValues = { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] };
const settings = (extra: Record<string, string> = {}, values: object = roleValues) =>
  loadConfig(z.object(serviceSettings), {
    AUDIENCE: 'gatehouse',
    ISSUERS: JSON.stringify([
      { id: 'local', issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, roles: { claim: 'roles', values } },
    ]),
    CURSOR_KEY: 'k'.repeat(32),
    ...extra,
  });

async function start(extra: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await createService({
    name: 'things',
    title: 'Things <service>',
    description: 'For tests',
    version: '1.0.0',
    settings: settings(),
    module: ThingsModule,
    fetch: issuerFetch,
    logDestination: { write: (line: string) => void lines.push(line) },
    onForbidden: (event) => {
      forbidden.push(event);
      return Promise.resolve();
    },
    ...extra,
  });
  open.push(service);
  await service.listen();
  return service;
}

let service: Service;
let admin: string;
let user: string;

beforeAll(async () => {
  service = await start();
  [admin, user] = [await token(['admin']), await token([])];
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

interface Call {
  as?: string;
  method?: string;
  json?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  at?: string;
}

async function call(path: string, { as, method, json, raw, headers, at = service.url }: Call = {}): Promise<Reply> {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(at + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const parsed =
    response.headers.get('content-type')?.startsWith('application/json') && text !== ''
      ? (JSON.parse(text) as Record<string, unknown>)
      : {};
  return { status: response.status, headers: response.headers, text, body: parsed };
}

/** What comes back for bytes that fetch would not send. */
const rawCall = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = new URL(service.url);
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });

const challenge = () => `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;

describe('who may call', () => {
  it('challenges a request without a token, naming no error', async () => {
    const reply = await call('/v1/things');
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(challenge());
    expect(Object.keys(reply.body)).toEqual(['error']);
  });

  it.each(['Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer'])('calls %j an invalid token', async (authorization) => {
    const reply = await call('/v1/things', { headers: { authorization } });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(`${challenge()}, error="invalid_token"`);
  });

  it('lets roles in and keeps others out, telling the audit before the answer', async () => {
    expect((await call('/v1/things', { as: admin })).status).toBe(200);
    expect((await call('/v1/things', { as: await token(['auditor']) })).status).toBe(200);
    forbidden.length = 0;
    const reply = await call('/v1/things?limit=3', { as: user, headers: { 'x-request-id': 'req 1' } });
    expect([reply.status, reply.body]).toEqual([403, { error: 'caller is not a directory admin' }]);
    expect(forbidden).toMatchObject([
      {
        operation: 'List things',
        method: 'GET',
        path: '/v1/things',
        caller: { subject: 'alice', issuer: ISSUER, requestId: 'req 1' },
      },
    ]);
  });

  it('tells the audit of a 403 that a handler gives', async () => {
    forbidden.length = 0;
    expect((await call('/v1/things/x', { as: user, method: 'DELETE' })).body).toEqual({
      error: 'no active directory entry',
    });
    expect(forbidden).toMatchObject([
      { operation: 'Delete thing', params: { id: 'x' }, reason: 'no active directory entry' },
    ]);
  });

  it('refuses an auditor a write', async () => {
    expect((await call('/v1/things', { as: await token(['auditor']), json: { name: 'x' } })).status).toBe(403);
  });

  it('keeps a token that is a gateway and nothing else out of everything but gateway routes', async () => {
    const gateway = await token(['gateway']);
    for (const path of ['/v1/things', '/v1/things/who/me', '/v1/things/who/any'])
      expect((await call(path, { as: gateway })).status).toBe(403);
    expect((await call('/v1/things/batch', { as: gateway, json: { text: 'abc' } })).body).toEqual({ length: 3 });
    expect((await call('/v1/things/who/me', { as: await token(['gateway', 'admin']) })).status).toBe(200);
    expect((await call('/v1/things/batch', { as: admin, json: { text: 'abc' } })).body).toEqual({
      error: 'caller is not a gateway',
    });
  });

  it('checks token and role before the body is read', async () => {
    const bad = { raw: '{"broken', headers: { 'content-type': 'text/plain' } };
    expect((await call('/v1/things', bad)).status).toBe(401);
    expect((await call('/v1/things', { ...bad, as: user })).status).toBe(403);
    expect((await call('/v1/things', { ...bad, as: admin })).status).toBe(415);
  });

  it('guards HEAD as it guards GET', async () => {
    expect((await call('/v1/things', { method: 'HEAD' })).status).toBe(401);
    expect((await call('/v1/things', { method: 'HEAD', as: user })).status).toBe(403);
    expect((await call('/v1/things/a', { method: 'HEAD', as: admin })).status).toBe(200);
  });

  it('says that administration is not configured, to people and not to gateways', async () => {
    const bare = await start({ settings: settings({}, { gateway: ['gateway'] }) });
    const reply = await call('/v1/things', { as: admin, at: bare.url });
    expect([reply.status, reply.body]).toEqual([503, { error: 'admin auth not yet configured' }]);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect((await call('/v1/things', { at: bare.url })).status).toBe(401);
    expect((await call('/v1/things', { as: await token(['gateway']), at: bare.url })).status).toBe(403);
  });

  it('answers 503, not 401, when the issuer cannot be asked', async () => {
    const cold = await start();
    jwksDown = true;
    try {
      const reply = await call('/v1/things', { as: admin, at: cold.url });
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      jwksDown = false;
    }
  });

  it('does not start with a route that says nothing', async () => {
    @Controller('forgotten')
    class Forgotten {
      @Get('door')
      door() {
        return {};
      }
    }
    @Module({ controllers: [Forgotten] })
    class ForgottenModule {}
    await expect(start({ module: ForgottenModule })).rejects.toThrow('GET /forgotten/door');
  });
});

describe('a body that is refused names its field', () => {
  const post = (extra: Call) => call('/v1/things', { as: admin, ...extra });
  it.each<[string, unknown, string]>([
    ['too short', { name: '' }, 'name: must have at least 1 character'],
    ['too long', { name: 'x'.repeat(21) }, 'name: must have at most 20 characters'],
    ['missing', {}, 'name: is required'],
    ['null', { name: null }, 'name: must be a string'],
    ['of another type', { name: 7 }, 'name: must be a string'],
    ['not whole', { name: 'x', size: 1.5 }, 'size: must be an integer'],
    ['unknown', { name: 'x', colour: 'red' }, 'colour: is not a known field'],
    [
      'nested',
      { name: 'x', parts: [{ sku: 'a' }, { sku: 1, extra: 2 }] },
      'parts[1].sku: must be a string; parts[1].extra: is not a known field',
    ],
    ['no object', [], 'body: must be an object'],
  ])('%s', async (_, json, error) => {
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
    ['deep nesting', `{"name":${'['.repeat(65)}${']'.repeat(65)}}`, 'body: is nested deeper than 64 levels'],
    ['NUL', '{"name":"a\\u0000"}', 'name: must not contain the character NUL (U+0000)'],
    [
      'NUL inside',
      '{"name":"a","parts":[{"sku":"\\u0000"}]}',
      'parts[0].sku: must not contain the character NUL (U+0000)',
    ],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'name: must not contain half of a surrogate pair'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'body: is not valid UTF-8'],
  ])('%s', async (_, raw, error) => {
    expect(await post({ raw, method: 'POST' })).toMatchObject({ status: 400, body: { error } });
  });

  it('takes what only looks dangerous', async () => {
    const reply = await post({ raw: '{"name":"\\"a\\\\\\":\\ud83d\\ude00"}' });
    expect(reply).toMatchObject({ status: 201, body: { id: 'b', name: '"a\\":😀' } });
    expect(reply.headers.get('location')).toBe('/v1/things/b');
  });

  it('holds every route to its limit', async () => {
    const text = 'x'.repeat(1024 * 1024);
    expect(await post({ json: { name: text } })).toMatchObject({
      status: 413,
      body: { error: 'body: is larger than this operation takes' },
    });
    const gateway = await token(['gateway']);
    expect((await call('/v1/things/batch', { as: gateway, json: { text } })).body).toEqual({ length: text.length });
    expect((await call('/v1/things/batch', { as: gateway, json: { text: text.repeat(8) } })).status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('%s is 415', async (type) => {
    expect((await post({ raw: '{"name":"a"}', headers: { 'content-type': type } })).status).toBe(415);
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
  ])('limit %s is %i', async (query, limit) => {
    expect((await list(query)).body['limit']).toBe(limit);
  });

  it.each(['0', '-1', 'abc', '1.5', '1e2', '', '%20', '0x10', '+5', '1&limit=2'])(
    'limit=%s is refused',
    async (limit) => {
      const reply = await list(`?limit=${limit}`);
      expect(reply.status).toBe(400);
      expect(reply.body['error']).toMatch(/^limit: must be/);
    },
  );

  it.each([
    ['?colour=red', 'colour: is not a known field'],
    ['?__proto__=1', '__proto__: is not a known field'],
    ['?name=%00', 'name: must not contain the character NUL (U+0000)'],
    ['?name=a&name=b', 'name: must be a string'],
    ['?active=yes', 'active: must be one of "true", "false"'],
    ['?cursor=a&before=b', 'before: must not be given together with cursor'],
  ])('%s: %s', async (query, error) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error } });
  });

  it('opens a cursor only where it was given', async () => {
    const { next_cursor: next } = (await list('?name=a')).body as { next_cursor: string };
    expect((await list(`?name=a&cursor=${next}`)).body['position']).toEqual(['2026-01-01', 7]);
    expect((await list(`?name=b&cursor=${next}`)).status).toBe(400);
    expect(
      (await call(`/v1/things?name=a&cursor=${next}`, { as: await token(['admin'], { sub: 'bob' }) })).status,
    ).toBe(200);
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
  ])('%s is %i', async (path, status) => {
    const reply = await call(path, { as: admin });
    expect(reply.status).toBe(status);
    if (status !== 200) expect(Object.keys(reply.body)).toEqual(['error']);
    expect(reply.headers.get('x-request-id')).toMatch(/./);
  });

  it('names the methods of a path', async () => {
    const reply = await call('/v1/things/batch', { method: 'PATCH', as: admin });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, POST, PUT']);
  });

  it('answers what is not HTTP, and too many headers, in its own words', async () => {
    expect(await rawCall('rubbish\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"error":"the request is not well-formed HTTP"\}$/,
    );
    expect(await rawCall(`GET / HTTP/1.1\r\nhost: x\r\nx-pad: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*\{"error":"headers: /,
    );
  });
});

describe('entity tags', () => {
  const etag = etagOf(stored);
  it('save a reader what it has', async () => {
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
    [`W/${etagOf(stored)}`, 412],
    ['rubbish', 400],
    [etagOf(stored), 200],
    ['*', 200],
  ])('guard a write: If-Match %s is %i', async (ifMatch, status) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    expect((await call('/v1/things/a', { as: admin, method: 'PUT', json: { name: 'x' }, headers })).status).toBe(
      status,
    );
  });
});

describe('failures', () => {
  it('say when to try again', async () => {
    expect((await call('/v1/things/fail/busy')).headers.get('retry-after')).toBe('7');
    expect((await call('/v1/things/fail/down')).headers.get('retry-after')).toBe('1');
  });

  it('that nobody expected give a request id and nothing else', async () => {
    const reply = await call('/v1/things/fail/bug', { headers: { 'x-request-id': 'r-500' } });
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ error: 'something went wrong here; quote the request id r-500 when you ask' });
  });

  it('have codes, request id and pointers in the other style', async () => {
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

describe('what travels with a request', () => {
  it('is its id when it is printable, else a new one', async () => {
    for (const id of ['a', 'A b~1', 'x'.repeat(128)])
      expect((await call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
    for (const id of ['x'.repeat(129), 'ä', '']) {
      expect((await call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
  });

  it('goes on with outgoing calls, also after a body was read', async () => {
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

  it('is logged, in one JSON line each, without any secret', async () => {
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

describe('the routes of every service', () => {
  it('answer health, and readiness by name', async () => {
    const one = await start();
    expect((await call('/healthz', { at: one.url })).body).toEqual({ status: 'ok' });
    expect((await call('/readyz', { at: one.url })).body).toEqual({ status: 'ready' });
    let works = false;
    one.app
      .get(Readiness)
      .register('database', () => (works ? Promise.resolve() : Promise.reject(new Error('refused'))));
    const reply = await call('/readyz', { at: one.url });
    expect([reply.status, reply.body]).toEqual([503, { error: 'not ready: database' }]);
    works = true;
    expect((await call('/readyz', { at: one.url })).status).toBe(200);
  });

  it('show the reference without a token and without the network', async () => {
    const page = await call('/api/doc');
    expect(page.text).toContain('<title>Things &#60;service&#62;</title>');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).toHaveLength(3);
    for (const path of assets) expect(path).toMatch(/^\/api\/doc\//);
    for (const path of assets) expect((await call(path)).status).toBe(200);
    expect((await call('/api/doc/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Things <service>' },
    });
  });

  it('measure themselves on a port of their own', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const one = await start({ settings: settings({ METRICS_PORT: String(port) }) });
    await call('/v1/things', { at: one.url });
    await call('/v1/things', { at: one.url, as: admin });
    const at = `http://127.0.0.1:${port}`;
    const { text } = await call('/metrics', { at });
    expect(text).toMatch(/http_server_request_duration(?:_seconds)?_count\{[^}]*http_route="\/v1\/things"[^}]*\} 1/);
    expect(text).toMatch(/gatehouse_http_unauthenticated\w* 1|gatehouse_http_unauthenticated\w*\{[^}]*\} 1/);
    expect((await call('/metrics', { at: one.url })).status).toBe(404);
    expect((await call('/healthz', { at })).status).toBe(404);
  });

  it('end in order: readiness first, then requests in flight, then the port', async () => {
    const one = await start();
    const slow = call('/v1/things/slow/request', { at: one.url, headers: { 'x-request-id': 'slow' } });
    await call('/healthz', { at: one.url });
    const closed = one.close();
    expect((await call('/readyz', { at: one.url })).body).toEqual({ error: 'not ready: shutting down' });
    expect((await slow).body).toMatchObject({ 'x-request-id': 'slow' });
    await closed;
    await expect(call('/healthz', { at: one.url })).rejects.toThrow();
  });
});

describe('a side listener', () => {
  it('shares tokens, failures and request ids with the main port', async () => {
    const one = await start({
      sideListeners: [
        {
          name: 'mcp',
          host: '127.0.0.1',
          port: 0,
          register: (server, kit) => {
            server.post('/mcp', { onRequest: kit.protect('user') }, (request) => ({
              subject: callerOf(request).subject,
              body: request.body,
            }));
          },
        },
      ],
    });
    const at = one.sideUrls['mcp'] ?? '';
    const refusedReply = await call('/mcp', { at, json: {} });
    expect(refusedReply.status).toBe(401);
    expect(refusedReply.headers.get('www-authenticate')).toContain(`${at}/.well-known`);
    expect((await call('/mcp', { at, as: user, json: { a: 1 } })).body).toEqual({ subject: 'alice', body: { a: 1 } });
    expect((await call('/mcp', { at, as: user, raw: '{"a":1,"a":2}' })).status).toBe(400);
  });
});
