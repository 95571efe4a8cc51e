import { beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Injectable, Module, Post } from '@nestjs/common';
import { z } from 'zod';
import { noContent, withETag } from '../src/http/etag.ts';
import type { FailureForm } from '../src/http/failure-form.ts';
import { describeService } from '../src/openapi/openapi.ts';
import { BATCH_BODY_BYTES, Operation } from '../src/routes/operation.ts';
import type { CallerCheck, IncomingRequest, OwnCaller } from '../src/routes/caller-check.ts';
import { AuthenticatedBy, CurrentOwnCaller } from '../src/routes/own-callers.ts';
import { HttpError } from '../src/errors/http-error.ts';
import type { Service } from '../src/start/start.ts';
import { call, forbidden, lines, rawCall, start } from './things.ts';

const PARCELS = 'application/parcels+json';
const Parcel = z.looseObject({ name: z.string() }).meta({ id: 'Parcel' });

const rejected = (reason: unknown) =>
  Promise.resolve().then(() => {
    throw reason as Error;
  });

/** Checks that return neither a caller nor an HttpError. */
const BROKEN: Record<string, () => unknown> = {
  'rejects with nothing': () => rejected(undefined),
  'rejects with null': () => rejected(null),
  'throws nothing': () => {
    throw undefined as unknown as Error;
  },
  'rejects with text': () => rejected('no'),
  'returns no caller': () => Promise.resolve(undefined),
  'returns nothing': () => undefined,
};

/** Authenticates one secret. */
@Injectable()
class Carriers implements CallerCheck {
  authenticate(request: IncomingRequest): Promise<OwnCaller> {
    const broken = BROKEN[String(request.headers['x-broken'])];
    if (broken) return broken() as Promise<OwnCaller>;
    if (request.headers['x-broken'] === 'away')
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    if (request.headers.authorization !== 'Bearer carrier') {
      const headers = { 'www-authenticate': 'Bearer realm="parcels"' };
      return Promise.reject(new HttpError('unauthenticated', 'no carrier', { headers }));
    }
    return Promise.resolve({ issuer: 'carriers', issuerId: 'carriers', subject: 'one', requestId: request.id });
  }
}

const scheme = { name: 'carrier', description: 'The secret of a carrier' };
const options = { bodyContentTypes: [PARCELS, 'application/json'], bodyLimit: BATCH_BODY_BYTES, tag: 'parcels' };
const success = { status: 200, schema: Parcel, contentType: PARCELS, alsoEmpty: [204] };

const burnt: string[] = [];

@Controller('parcels')
class ParcelsController {
  @Get()
  @AuthenticatedBy(Carriers, scheme)
  @Operation({ ...options, summary: 'Get parcel', success, errors: [403] })
  get(@CurrentOwnCaller() caller: OwnCaller) {
    return withETag({ name: caller.subject }, 'W/"1"');
  }

  @Delete()
  @AuthenticatedBy(Carriers, scheme)
  @Operation({ summary: 'Burn parcels', success: { status: 204 }, errors: [], tag: 'parcels' })
  burn() {
    burnt.push('all');
  }

  @Post()
  @AuthenticatedBy(Carriers, scheme)
  @Operation({ ...options, summary: 'Send parcel', success, errors: [403, 429] })
  send(@Body({ schema: Parcel }) { name }: z.infer<typeof Parcel>) {
    if (name === 'away') return noContent({ etag: 'W/"2"' });
    if (name === 'busy') throw new HttpError('rate_limited', 'later', { retryAfterMs: 7_000 });
    if (name === 'down') throw new HttpError('unavailable', 'the depot is closed');
    if (name === 'mine') throw new HttpError('forbidden', 'not yours');
    if (name === 'odd') throw new Error('unexpected');
    return { name };
  }
}

@Module({ controllers: [ParcelsController], providers: [Carriers] })
class ParcelsModule {}

const form: FailureForm = {
  pathPrefix: '/parcels',
  contentType: PARCELS,
  schema: z.object({ code: z.number(), why: z.string() }).meta({ id: 'ParcelFailure' }),
  createBody: ({ status, sentence }) => ({ code: status, why: sentence }),
};

describe('paths with their own callers and failure form', () => {
  let parcels: Service;
  beforeAll(async () => {
    parcels = await start({
      module: ParcelsModule,
      failureForms: [form],
      toHttpError: (error) =>
        (error as { code?: unknown }).code === 'ECONNREFUSED'
          ? new HttpError('unavailable', 'the register is away', { retryAfterMs: 3_000 })
          : undefined,
    });
  });
  const at = (path: string, request: Parameters<typeof call>[1] = {}) => call(path, { at: parcels.url, ...request });
  const post = (raw: string, headers: Record<string, string> = {}) =>
    at('/parcels', { as: 'carrier', raw, headers: { 'content-type': PARCELS, ...headers } });
  const failure = ({ status, headers, text }: Awaited<ReturnType<typeof post>>) => {
    expect(headers.get('content-type')).toBe(`${PARCELS}; charset=utf-8`);
    expect(JSON.parse(text)).toEqual({ code: status, why: expect.any(String) });
    return status;
  };

  it('admit an authenticated caller and log its name', async () => {
    const reply = await at('/parcels', { as: 'carrier' });
    expect([reply.status, reply.text]).toEqual([200, '{"name":"one"}']);
    expect(reply.headers.get('content-type')).toBe(`${PARCELS}; charset=utf-8`);
    expect(lines.some((line) => line.includes('"issuer_id":"carriers"') && line.includes('"subject":"one"'))).toBe(
      true,
    );
  });

  it('refuse other callers with their own challenge before a body is read', async () => {
    const reply = await at('/parcels', { as: 'thief', raw: '{"broken', headers: { 'content-type': 'text/plain' } });
    expect(failure(reply)).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="parcels"');
    expect(failure(await at('/parcels'))).toBe(401);
    expect((await at('/parcels', { method: 'HEAD' })).status).toBe(401);
  });

  it.each(Object.keys(BROKEN))('admit no caller when the check %s', async (broken) => {
    const reply = await at('/parcels', { method: 'DELETE', as: 'carrier', headers: { 'x-broken': broken } });
    expect(failure(reply)).toBe(500);
    expect(burnt).toEqual([]);
  });

  it('answer 503 when the check is unavailable', async () => {
    const reply = await at('/parcels', { as: 'carrier', headers: { 'x-broken': 'away' } });
    expect([failure(reply), reply.headers.get('retry-after')]).toEqual([503, '3']);
  });

  it('refuse If-None-Match with a change in their own form', async () => {
    const reply = await at('/parcels', { method: 'DELETE', as: 'carrier', headers: { 'if-none-match': '*' } });
    expect(failure(reply)).toBe(400);
    expect(reply.text).toContain('If-None-Match: ');
    expect(burnt).toEqual([]);
    expect((await at('/parcels', { method: 'DELETE', as: 'carrier' })).status).toBe(204);
    expect(burnt).toEqual(['all']);
  });

  it('have their form with and without a trailing slash', async () => {
    const slashed = await start({ module: ParcelsModule, failureForms: [{ ...form, pathPrefix: '/bare/' }] });
    for (const path of ['/bare', '/bare/', '/bare?x=1', '/bare/x'])
      expect(failure(await call(path, { at: slashed.url }))).toBe(404);
    expect((await call('/barely', { at: slashed.url })).body).toEqual({ error: 'there is nothing at this path' });
  });

  it('refuse a large body of an unknown caller before it arrives', async () => {
    const text = await rawCall(
      `POST /parcels HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${PARCELS}\r\nContent-Length: 8000000\r\n\r\n`,
      parcels.url,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([PARCELS, 'application/json', `${PARCELS}; charset=utf-8`, 'Application/JSON'])(
    'accept a body of the type %s',
    async (type) => {
      expect((await post('{"name":"x","further":1}', { 'content-type': type })).status).toBe(200);
    },
  );

  it.each([
    ['broken JSON', '{', {}, 400],
    ['a wrong field', '{"name":1}', {}, 400],
    ['another type', '{}', { 'content-type': 'text/plain' }, 415],
    ['another JSON type', '{}', { 'content-type': 'application/other+json' }, 415],
    ['a body beyond the limit', `{"name":"${'x'.repeat(BATCH_BODY_BYTES)}"}`, {}, 413],
    ['too many requests', '{"name":"busy"}', {}, 429],
    ['an unavailable dependency', '{"name":"down"}', {}, 503],
    ['a forbidden object', '{"name":"mine"}', {}, 403],
    ['an unexpected error', '{"name":"odd"}', {}, 500],
  ])('answer %s in their own form', async (_, raw, headers, status) => {
    const reply = await post(raw, headers);
    expect(failure(reply)).toBe(status);
    if (status === 415) expect(reply.text).toContain(`${PARCELS} or application/json`);
    if (status === 429) expect(reply.headers.get('retry-after')).toBe('7');
    if (status === 503) expect(reply.headers.get('retry-after')).toBe('1');
  });

  it('answer unknown paths, methods and invalid addresses in their own form', async () => {
    expect(failure(await at('/parcels/none'))).toBe(404);
    expect(failure(await at('/parcels', { method: 'PUT' }))).toBe(405);
    expect(failure(await at('/parcels/%zz'))).toBe(400);
    expect((await at('/none')).body).toEqual({ error: 'there is nothing at this path' });
  });

  it('report a 403 of their own caller to the audit', async () => {
    forbidden.length = 0;
    await post('{"name":"mine"}');
    expect(forbidden).toMatchObject([{ operation: 'Send parcel', caller: { issuer: 'carriers', subject: 'one' } }]);
  });

  it('answer without a body when the handler returns noContent', async () => {
    const reply = await post('{"name":"away"}');
    expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([204, '', 'W/"2"']);
    expect(reply.headers.get('content-type')).toBeNull();
  });

  it('document their credential, content types and failures', async () => {
    const service = { name: 'p', title: 'P', description: '', version: '1', failureForms: [form] };
    const document = await describeService(service, parcels.app);
    const { security, responses, requestBody, ...rest } = document.paths['/parcels']?.['post'] as {
      security: object;
      responses: Record<string, { content?: Record<string, { schema: object }> }>;
      requestBody: { content: object };
    };
    expect(security).toEqual([{ carrier: [] }]);
    expect(rest).not.toHaveProperty('x-roles');
    expect(Object.keys(requestBody.content)).toEqual(options.bodyContentTypes);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '204', '400', '401', '413', '415', '429']));
    expect(responses['204']?.content).toBeUndefined();
    expect(responses['401']?.content?.[PARCELS]?.schema).toEqual({ $ref: '#/components/schemas/ParcelFailure' });
    const { securitySchemes } = document['components'] as { securitySchemes: object };
    expect(securitySchemes).toMatchObject({ carrier: { type: 'http', scheme: 'bearer' }, bearer: { type: 'http' } });
  });
});
