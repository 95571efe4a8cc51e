import { describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import type { IntrospectionConfig } from './introspection.ts';
import {
  AUDIENCE,
  good,
  ISSUER,
  Provider,
  createRawToken,
  matchAuthError,
  rsa,
  toSeconds,
  setUp,
  createToken,
} from './tokens.fixture.ts';
import type { VerifierConfig, VerifierDependencies } from './verifier-config.ts';

const OPAQUE = 'https://opaque.example.test';
const config: IntrospectionConfig = {
  endpoint: `${OPAQUE}/introspect`,
  client_id: 'gateway:1',
  client_secret: 'pass word',
};
const active = { active: true, iss: OPAQUE, aud: AUDIENCE, sub: 'alice', exp: toSeconds(300), token_type: 'Bearer' };

interface Request {
  url: string;
  authorization: string | null;
  contentType: string | null;
  form: Record<string, string>;
}

/** An authorization server that knows tokens by their text. */
class IntrospectionServer {
  readonly requests: Request[] = [];
  readonly responses = new Map<string, unknown>();
  response: (() => Response) | undefined;
  private readonly provider = new Provider([rsa.jwk]);

  readonly fetch: VerifierDependencies['fetch'] = async (input, init) => {
    const url = String(input);
    if (url !== config.endpoint) return this.provider.fetch(input, init);
    const headers = new Headers(init?.headers);
    const form = Object.fromEntries(new URLSearchParams(typeof init?.body === 'string' ? init.body : ''));
    const [authorization, contentType] = [headers.get('authorization'), headers.get('content-type')];
    this.requests.push({ url, authorization, contentType, form });
    await new Promise((resolve) => setImmediate(resolve));
    return this.response?.() ?? Response.json(this.responses.get(form['token'] ?? '') ?? { active: false });
  };
}

function scene(introspection: Partial<IntrospectionConfig> = {}, audience: VerifierConfig['audience'] = AUDIENCE) {
  const server = new IntrospectionServer();
  const { verifier, clock } = setUp({
    issuers: [
      { id: 'local', issuer: ISSUER },
      { id: 'opaque', issuer: OPAQUE, introspection: { ...config, ...introspection } },
    ],
    audience,
    fetch: server.fetch,
  });
  return { server, verifier, clock };
}

describe('TokenVerifier with an introspection endpoint', () => {
  it('asks about an opaque token with its own credentials, form-encoded', async () => {
    const { server, verifier } = scene();
    server.responses.set('opaque-1', { ...active, client_id: 'app', email: 'alice@example.test' });
    expect(await verifier.verify('opaque-1')).toMatchObject({
      issuer: OPAQUE,
      issuerId: 'opaque',
      subject: 'alice',
      clientId: 'app',
      email: 'alice@example.test',
      audiences: [AUDIENCE],
    });
    expect(server.requests).toEqual([
      {
        url: config.endpoint,
        authorization: `Basic ${btoa('gateway%3A1:pass+word')}`,
        contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
        form: { token: 'opaque-1', token_type_hint: 'access_token' },
      },
    ]);
  });

  it('asks about a JWT of that issuer, and verifies a JWT of another issuer by its keys', async () => {
    const { server, verifier } = scene();
    const jwt = await createToken({ iss: OPAQUE });
    server.responses.set(jwt, active);
    expect((await verifier.verify(jwt)).issuerId).toBe('opaque');
    expect((await verifier.verify(await createToken({}, {}, rsa))).issuerId).toBe('local');
    expect(server.requests).toHaveLength(1);
  });

  it('can leave JWTs of that issuer to its keys', async () => {
    const { server, verifier } = scene({ jwts: false });
    await expect(verifier.verify(await createToken({ iss: OPAQUE }))).rejects.toMatchObject(
      matchAuthError('unavailable'),
    );
    expect(server.requests).toHaveLength(0);
    server.responses.set('opaque-1', active);
    expect((await verifier.verify('opaque-1')).issuerId).toBe('opaque');
  });

  it('sends no client where none is configured', async () => {
    const { server, verifier } = scene({ client_id: undefined, client_secret: undefined });
    server.responses.set('opaque-1', active);
    await verifier.verify('opaque-1');
    expect(server.requests).toMatchObject([
      { authorization: null, form: { token: 'opaque-1', token_type_hint: 'access_token' } },
    ]);
  });

  it('asks once for concurrent callers, and again after the maximum age', async () => {
    const { server, verifier, clock } = scene({ max_age_ms: 10_000 });
    server.responses.set('opaque-1', active);
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify('opaque-1')));
    clock.forward(9_999);
    await verifier.verify('opaque-1');
    expect(server.requests).toHaveLength(1);
    clock.forward(1);
    server.responses.delete('opaque-1');
    await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError('inactive'));
  });

  it('asks again at the expiry of a token, before the maximum age', async () => {
    const { server, verifier, clock } = scene();
    server.responses.set('opaque-1', { ...active, exp: toSeconds(5) });
    await verifier.verify('opaque-1');
    clock.forward(5_000);
    server.responses.delete('opaque-1');
    await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError('inactive'));
    expect(server.requests).toHaveLength(2);
  });

  it('asks again after the clock was set back', async () => {
    const { server, verifier, clock } = scene();
    server.responses.set('opaque-1', { ...active, exp: toSeconds(7_200) });
    await verifier.verify('opaque-1');
    clock.forward(-3_600_000);
    await verifier.verify('opaque-1');
    expect(server.requests).toHaveLength(2);
  });

  it('refuses an inactive token, and asks about it again after 5 s', async () => {
    const { server, verifier, clock } = scene();
    for (let call = 0; call < 3; call += 1)
      await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError('inactive'));
    expect(server.requests).toHaveLength(1);
    clock.forward(5_000);
    server.responses.set('opaque-1', active);
    expect((await verifier.verify('opaque-1')).subject).toBe('alice');
  });

  it('keeps valid tokens cached during a flood of invalid ones', async () => {
    const { server, verifier } = scene();
    server.responses.set('opaque-1', active);
    await verifier.verify('opaque-1');
    for (let call = 0; call < 2_100; call += 1) await verifier.verify(`invalid-${call}`).catch(() => undefined);
    await verifier.verify('opaque-1');
    expect(server.requests.filter(({ form }) => form['token'] === 'opaque-1')).toHaveLength(1);
  });

  it('limits concurrent requests', async () => {
    const { server, verifier } = scene();
    const outcomes = await Promise.allSettled(Array.from({ length: 150 }, (_, at) => verifier.verify(`token-${at}`)));
    expect(server.requests).toHaveLength(100);
    expect(outcomes.at(-1)).toMatchObject({ reason: matchAuthError('unavailable') });
  });

  it('checks the audience of each request, also for a cached response', async () => {
    const { server, verifier } = scene({}, []);
    server.responses.set('opaque-1', { ...active, aud: ['https://one.example.test'] });
    expect((await verifier.verify('opaque-1', 'https://one.example.test')).subject).toBe('alice');
    await expect(verifier.verify('opaque-1', 'https://two.example.test')).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['another issuer', 'unknown_issuer', { iss: ISSUER }],
    ['no issuer', 'unknown_issuer', { iss: undefined }],
    ['another audience', 'wrong_audience', { aud: 'other' }],
    ['no audience', 'wrong_audience', { aud: undefined }],
    ['an expired token', 'expired', { exp: toSeconds(-60) }],
    ['no expiry', 'bad_claims', { exp: undefined }],
    ['a token that is not valid yet', 'not_yet_valid', { nbf: toSeconds(61) }],
    ['no subject', 'bad_claims', { sub: undefined }],
    ['a refresh token', 'bad_claims', { token_type: 'refresh_token' }],
    ['a refresh token of Keycloak', 'bad_claims', { typ: 'Refresh' }],
    ['an ID token', 'bad_claims', { nonce: 'n' }],
    ['a text for active', 'unavailable', { active: 'true' }],
  ])('refuses a response with %s', async (_, code, change) => {
    const { server, verifier } = scene();
    server.responses.set('opaque-1', { ...active, ...change });
    await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError(code));
  });

  it.each(['sub', 'jti', 'exp'])('refuses a response about another JWT, by its %s', async (claim) => {
    const { server, verifier } = scene();
    const jwt = await createToken({ iss: OPAQUE, jti: 'token-1' });
    server.responses.set(jwt, { ...active, jti: 'token-1', [claim]: claim === 'exp' ? toSeconds(301) : 'other' });
    await expect(verifier.verify(jwt)).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it.each<[string, () => Response]>([
    [
      'an error status',
      () => new Response('{"active":true}', { status: 500, headers: { 'content-type': 'application/json' } }),
    ],
    ['refused credentials', () => Response.json({ error: 'invalid_client' }, { status: 401 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.example.test' } })],
    ['another media type', () => new Response(JSON.stringify(active), { headers: { 'content-type': 'text/html' } })],
    [
      'an unverified signed answer',
      () => new Response('e30.e30.', { headers: { 'content-type': 'application/token-introspection+jwt' } }),
    ],
    ['no JSON', () => new Response('<html>', { headers: { 'content-type': 'application/json' } })],
    ['a list', () => Response.json([active])],
    ['too many bytes', () => Response.json({ ...active, padding: 'x'.repeat(70_000) })],
    [
      'no connection',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('does not accept a token after %s', async (_, response) => {
    const { server, verifier } = scene();
    server.response = response;
    await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError('unavailable'));
    server.response = undefined;
    server.responses.set('opaque-1', active);
    expect((await verifier.verify('opaque-1')).subject).toBe('alice');
  });

  it('refuses JWTs without a signature, or with a shared secret, without a request', async () => {
    const { server, verifier } = scene();
    const claims = { ...good, iss: OPAQUE };
    const unsigned = new UnsecuredJWT(claims).encode();
    const shared = await createRawToken(JSON.stringify({ alg: 'HS256' }), JSON.stringify(claims));
    for (const forged of [unsigned, shared])
      await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('unsupported_algorithm'));
    expect(server.requests).toEqual([]);
  });

  it('sends no request for a token that is too long or not a bearer token', async () => {
    const { server, verifier } = scene();
    await expect(verifier.verify('x'.repeat(8_193))).rejects.toMatchObject(matchAuthError('too_large'));
    for (const text of ['', 'two words', 'line\nbreak', '=x', 'größe'])
      await expect(verifier.verify(text)).rejects.toMatchObject(matchAuthError('malformed'));
    expect(server.requests).toEqual([]);
  });

  it('can keep opaque tokens from the endpoint', async () => {
    const { server, verifier } = scene({ opaque_tokens: false });
    await expect(verifier.verify('opaque-1')).rejects.toMatchObject(matchAuthError('malformed'));
    expect(server.requests).toEqual([]);
  });

  it('does not repeat a token or a secret in its errors', async () => {
    const { server, verifier } = scene();
    for (const response of [() => Response.json({ error: 'invalid_client' }, { status: 401 }), undefined]) {
      server.response = response;
      const error: unknown = await verifier.verify('opaque-secret-1').catch((thrown: unknown) => thrown);
      expect((error as Error).message).not.toMatch(/opaque-secret-1|pass.word/);
    }
  });
});
