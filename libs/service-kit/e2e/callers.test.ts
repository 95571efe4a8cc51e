import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import type { RefusedEvent } from '../src/start/start.ts';
import { admin, call, challenge, forbidden, ISSUER, issuer, settings, start, token, user } from './things.ts';

describe('access to routes', () => {
  it('challenges a request without a token, without an error code', async () => {
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

  it('admits the roles of the route and reports other callers to the audit before the answer', async () => {
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

  it('reports each refusal of a caller before its answer, and none without a caller', async () => {
    const refused: RefusedEvent[] = [];
    const one = await start({ failureStyle: 'codes', onRefused: (event) => refused.push(event) });
    await call('/v1/things', { at: one.url });
    expect(refused).toEqual([]);
    await call('/v1/things', { at: one.url, as: user });
    await call('/v1/things/x', { at: one.url, as: user, method: 'DELETE' });
    await call('/v1/things', { at: one.url, as: admin, raw: '{"broken' });
    await call('/v1/things', { at: one.url, as: admin, json: { name: 'x', size: 'large' } });
    await call('/v1/things/x', { at: one.url, as: admin, method: 'PUT', json: { name: 'x' } });
    expect(refused).toMatchObject([
      { status: 403, code: 'forbidden', operation: 'List things', caller: { subject: 'alice' } },
      { status: 403, code: 'forbidden', method: 'DELETE', params: { id: 'x' } },
      { status: 400, code: 'invalid_request', method: 'POST' },
      { status: 400, code: 'invalid_request', violations: [{ field: '/size' }] },
      { status: 428, code: 'precondition_required', params: { id: 'x' } },
    ]);
  });

  it('reports a 403 of a handler to the audit', async () => {
    forbidden.length = 0;
    expect((await call('/v1/things/x', { as: user, method: 'DELETE' })).body).toEqual({
      error: 'no active directory entry',
    });
    expect(forbidden).toMatchObject([
      { operation: 'Delete thing', params: { id: 'x' }, reason: 'no active directory entry' },
    ]);
  });

  it('accepts a token for its own resource and refuses one for another service', async () => {
    const own = await token(['admin'], { aud: new URL(challenge().split('"')[1] ?? '').origin });
    const other = await token(['admin'], { aud: 'http://127.0.0.1:1' });
    expect((await call('/v1/things', { as: own })).status).toBe(200);
    expect((await call('/v1/things', { as: other })).status).toBe(401);
  });

  it.each([{ nonce: 'n' }, { at_hash: 'h' }, { typ: 'ID' }, { client_id: 'one', azp: 'two' }])(
    'refuses a token with %j',
    async (claims) => {
      const reply = await call('/v1/things', { as: await token(['admin'], claims) });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe(`${challenge()}, error="invalid_token"`);
    },
  );

  it('refuses another token type when the issuer requires at+jwt', async () => {
    const common = settings();
    const strict = {
      ...common,
      ISSUERS: common.ISSUERS.map((one) => ({ ...one, access_token_type: 'at+jwt' as const })),
    };
    const { url } = await start({ settings: strict });
    expect((await call('/v1/things', { as: admin, at: url })).status).toBe(401);
    expect((await call('/v1/things', { as: await token(['admin'], {}, { typ: 'at+jwt' }), at: url })).status).toBe(200);
  });

  it('refuses an auditor a write', async () => {
    expect((await call('/v1/things', { as: await token(['auditor']), json: { name: 'x' } })).status).toBe(403);
  });

  it('admits a token with only the role gateway only to routes for gateways', async () => {
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

  it('guards HEAD like GET', async () => {
    expect((await call('/v1/things', { method: 'HEAD' })).status).toBe(401);
    expect((await call('/v1/things', { method: 'HEAD', as: user })).status).toBe(403);
    expect((await call('/v1/things/a', { method: 'HEAD', as: admin })).status).toBe(200);
  });

  it('answers every token with 503 when no administrator is configured', async () => {
    const bare = await start({ settings: settings({}, { gateway: ['gateway'] }) });
    const gateway = await token(['gateway']);
    for (const as of [admin, user, gateway]) {
      const reply = await call('/v1/things', { as, at: bare.url });
      expect([reply.status, reply.body]).toEqual([503, { error: 'admin auth not yet configured' }]);
      expect(reply.headers.get('retry-after')).toBe('60');
    }
    expect((await call('/v1/things', { at: bare.url })).status).toBe(401);
    expect((await call('/v1/things/who/me', { as: gateway, at: bare.url })).status).toBe(403);
    expect((await call('/v1/things/who/me', { as: user, at: bare.url })).status).toBe(200);
  });

  it('answers 503 when the issuer cannot be reached', async () => {
    const cold = await start();
    issuer.down = true;
    try {
      const reply = await call('/v1/things', { as: admin, at: cold.url });
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      issuer.down = false;
    }
  });

  it('does not start with a route without an access rule', async () => {
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
