import { afterAll, beforeAll } from '@jest/globals';
import { Body, Controller, Delete, Get, Inject, Module, Param, Post, Put, Query } from '@nestjs/common';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { connect } from 'node:net';
import { z } from 'zod';
import type { Caller } from '../src/routes/access.ts';
import { CurrentCaller, Public, Requires } from '../src/routes/access.ts';
import { loadConfig, serviceSettings } from '../src/config/config.ts';
import { CursorCodec } from '../src/http/cursor.ts';
import { computeETag, IfMatch, requireMatch, withETag, withHeaders } from '../src/http/etag.ts';
import { Log } from '../src/telemetry/log.ts';
import { BATCH_BODY_BYTES, Operation } from '../src/routes/operation.ts';
import { booleanParameter, pageParameters, refuseBothCursors } from '../src/http/paging.ts';
import { Readiness } from '../src/telemetry/readiness.ts';
import { HttpError } from '../src/errors/http-error.ts';
import { outgoingHeaders } from '../src/telemetry/request-context.ts';
import { createService } from '../src/start/start.ts';
import type { ForbiddenEvent, Service, ServiceOptions } from '../src/start/start.ts';

export const ISSUER = 'https://id.example.test';
/** A secret that logs and answers must not contain. */
export const CANARY = 'canary-7f3a';

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

const ShelfPath = z.strictObject({ shelf: z.string().max(40), label: z.string().min(1).max(40) });
type ShelfPath = z.infer<typeof ShelfPath>;

const ok = (summary: string, errors: number[] = []) => ({ summary, success: { status: 200, schema: Thing }, errors });
/** The thing of every read. */
export const stored = { id: 'a', name: 'stored' };

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
  @Operation(ok('Any caller'))
  any() {
    return {};
  }

  @Get('fail/:how')
  @Public()
  @Operation(ok('Fail', [404]))
  fail(@Param('how') how: string): never {
    if (how === 'busy') throw new HttpError('rate_limited', 'too many', { retryAfterMs: 6_500 });
    if (how === 'down') throw new HttpError('unavailable', 'the database is down');
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

  @Get('stuck/request')
  @Public()
  @Operation(ok('Stuck'))
  stuck() {
    return new Promise(() => undefined);
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
    throw new HttpError('not_found', `there is no thing with the id ${path.id}`);
  }

  @Get('on/:shelf/*')
  @Requires('admin')
  @Operation({ ...ok('Thing on a shelf'), rest: 'label' })
  onShelf(@Param({ schema: ShelfPath }) path: ShelfPath) {
    return path;
  }

  @Get(':id')
  @Requires('admin')
  @Operation({ ...ok('Get thing', [404]), ifNoneMatch: true })
  get(@Param({ schema: ThingPath }) _path: ThingPath) {
    return withETag(stored, computeETag(stored));
  }

  @Put(':id')
  @Requires('admin')
  @Operation({ ...ok('Put thing', [404]), ifMatch: 'required' })
  put(@Body({ schema: ThingCreate }) _body: ThingCreate, @IfMatch() ifMatch: string | undefined) {
    requireMatch(ifMatch, computeETag(stored), 'required');
    return stored;
  }

  @Delete(':id')
  @Requires('user')
  @Operation({ summary: 'Delete thing', success: { status: 204 }, errors: [403] })
  remove(): never {
    throw new HttpError('forbidden', 'no active directory entry');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const keys = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' };
/** Whether the issuer is unavailable. */
export const issuer = { down: false };
const issuerFetch: typeof fetch = () =>
  issuer.down ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(Response.json({ keys: [jwk] }));

/** Creates a token of `alice` with these roles. */
export const token = (roles: string[], claims: Record<string, unknown> = {}, header: { typ?: string } = {}) =>
  new SignJWT({ roles, sub: 'alice', aud: 'gatehouse', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
    .setIssuer(ISSUER)
    .setExpirationTime('5m')
    .sign(keys.privateKey);

/** Log lines of all services of this test file. */
export const lines: string[] = [];
/** The 403s that were reported to the audit. */
export const forbidden: ForbiddenEvent[] = [];
const open: Service[] = [];

const roleValues = { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] };
/** Loads settings as from the environment. */
export const settings = (extra: Record<string, string> = {}, values: object = roleValues) =>
  loadConfig(z.object(serviceSettings), {
    AUDIENCE: 'gatehouse',
    ISSUERS: JSON.stringify([
      { id: 'local', issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, roles: { claim: 'roles', values } },
    ]),
    CURSOR_KEY: 'k'.repeat(32),
    ...extra,
  });

/** Starts a separate service on a free port. It is closed at the end of the test file. */
export async function start(extra: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await createThings(extra);
  await service.listen();
  return service;
}

/** Creates a separate service that does not listen yet. */
export async function createThings(extra: Partial<ServiceOptions> = {}): Promise<Service> {
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
  return service;
}

/** The service that most tests share, and tokens for it. */
export let service: Service;
export let admin: string;
export let user: string;

beforeAll(async () => {
  service = await start();
  [admin, user] = [await token(['admin']), await token([])];
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

export interface Call {
  as?: string;
  method?: string;
  json?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  at?: string;
}

/** Sends a request and reads the whole answer. */
export async function call(
  path: string,
  { as, method, json, raw, headers, at = service.url }: Call = {},
): Promise<Reply> {
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

/** Sends raw bytes and reads the answer until the service closes the connection. */
export const rawCall = (bytes: string | Buffer, at = service.url): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = new URL(at);
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.setTimeout(5_000, () => socket.destroy(new Error(`the connection stays open after ${text}`)));
    socket.on('error', reject);
  });

/** WWW-Authenticate of a request without a token. */
export const challenge = () => `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;
