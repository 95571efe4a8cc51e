import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { createHmac, createSecretKey } from 'node:crypto';
import { base64url, exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import {
  ISSUER,
  AUDIENCE,
  createSigningKey,
  Provider,
  local,
  rsa,
  ec,
  setUp,
  good,
  type Claims,
  createToken,
  createRawToken,
  matchAuthError,
} from './tokens.fixture.ts';

describe('TokenVerifier under attack', () => {
  it('refuses a token without a signature', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(new UnsecuredJWT(good).encode())).rejects.toMatchObject(
      matchAuthError('unsupported_algorithm'),
    );
    for (const alg of ['None', 'NONE', 'nOnE', '']) {
      const forged = `${base64url.encode(JSON.stringify({ alg }))}.${base64url.encode(JSON.stringify(good))}.`;
      await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('unsupported_algorithm'));
    }
  });

  it('refuses the public key as a shared secret', async () => {
    const { verifier } = setUp();
    for (const secret of [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk)]) {
      const forged = await new SignJWT(good)
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa-1' })
        .sign(createSecretKey(Buffer.from(secret)));
      await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('unsupported_algorithm'));
    }
  });

  it('refuses a shared secret that the issuer published by mistake', async () => {
    const secret = base64url.encode('0123456789abcdef0123456789abcdef');
    const { verifier } = setUp({}, new Provider([{ kty: 'oct', k: secret, kid: 'ec-1', alg: 'ES256' }]));
    const input = `${base64url.encode(JSON.stringify({ alg: 'ES256', kid: 'ec-1' }))}.${base64url.encode(JSON.stringify(good))}`;
    const mac = createHmac('sha256', base64url.decode(secret)).update(input).digest('base64url');
    await expect(verifier.verify(`${input}.${mac}`)).rejects.toMatchObject(matchAuthError('unknown_key'));
  });

  it('refuses another issuer, audience or key', async () => {
    const { verifier } = setUp();
    const foreign = await createSigningKey('ES256', 'ec-1');
    await expect(verifier.verify(await createToken({ iss: 'https://evil.example.test' }))).rejects.toMatchObject(
      matchAuthError('unknown_issuer'),
    );
    await expect(verifier.verify(await createToken({ iss: `${ISSUER}/` }))).rejects.toMatchObject(
      matchAuthError('unknown_issuer'),
    );
    await expect(verifier.verify(await createToken({ iss: undefined }))).rejects.toMatchObject(
      matchAuthError('unknown_issuer'),
    );
    await expect(verifier.verify(await createToken({ aud: 'other' }))).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
    await expect(verifier.verify(await createToken({ aud: ['other', `${AUDIENCE}2`] }))).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
    await expect(verifier.verify(await createToken({ aud: undefined }))).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
    await expect(verifier.verify(await createToken({}, {}, foreign))).rejects.toMatchObject(
      matchAuthError('bad_signature'),
    );
  });

  it('refuses a token of one issuer that is signed with the key of another', async () => {
    const other = 'https://other.example.test';
    const otherKey = await createSigningKey('ES256', 'ec-1');
    const providers = [new Provider([ec.jwk]), new Provider([otherKey.jwk], other)] as const;
    const route: typeof fetch = (input, init) =>
      providers[JSON.stringify(input).includes(other) ? 1 : 0].fetch(input, init);
    const { verifier } = setUp({ fetch: route, issuers: [local, { id: 'other', issuer: other }] });
    expect(
      (await verifier.verify(await createToken({ iss: other, roles: ['admin'] }, {}, otherKey))).roles.has('admin'),
    ).toBe(false);
    expect((await verifier.verify(await createToken({ iss: other }, {}, otherKey))).issuerId).toBe('other');
    await expect(verifier.verify(await createToken({}, {}, otherKey))).rejects.toMatchObject(
      matchAuthError('bad_signature'),
    );
  });

  it.each([
    '../../../../dev/null',
    '/etc/passwd',
    'http://evil.example.test/key',
    "' OR 1=1 --",
    '\u0000',
    '__proto__',
    'constructor',
  ])('does not interpret the kid %j', async (kid) => {
    const { verifier, provider } = setUp();
    await expect(verifier.verify(await createToken({}, { kid }))).rejects.toMatchObject(matchAuthError('unknown_key'));
    expect(new Set(provider.requestedUrls)).toEqual(
      new Set([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`]),
    );
  });

  it('refuses a kid that is not a short text', async () => {
    const { verifier, provider } = setUp();
    for (const kid of [7, null, ['ec-1'], { a: 1 }, 'k'.repeat(513)]) {
      const forged = await createRawToken(JSON.stringify({ alg: 'ES256', kid }), JSON.stringify(good));
      await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('malformed'));
    }
    expect(provider.requestedUrls).toEqual([]);
  });

  it('ignores keys inside the token', async () => {
    const own = await createSigningKey('ES256', 'mine');
    const { verifier, provider } = setUp();
    const header = {
      jku: 'https://evil.example.test/keys',
      x5u: 'https://evil.example.test/cert',
      jwk: own.jwk,
      x5c: ['AAAA'],
    };
    await expect(verifier.verify(await createToken({}, header, own))).rejects.toMatchObject(
      matchAuthError('unknown_key'),
    );
    expect(provider.requestedUrls.every((url) => url.startsWith(ISSUER))).toBe(true);
    expect((await verifier.verify(await createToken({}, header))).subject).toBe('alice');
  });

  it('refuses critical header extensions', async () => {
    const { verifier } = setUp();
    for (const header of [{ crit: ['b64'], b64: false }, { b64: true }, { crit: [] }, { crit: ['exp'], exp: 1 }]) {
      const forged = await createRawToken(
        JSON.stringify({ alg: 'ES256', kid: 'ec-1', ...header }),
        JSON.stringify(good),
      );
      await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('unsupported_header'));
    }
  });

  it('refuses other types of tokens', async () => {
    const { verifier } = setUp();
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', '']) {
      await expect(verifier.verify(await createToken({}, { typ }))).rejects.toMatchObject(
        matchAuthError('unsupported_header'),
      );
    }
  });

  it('refuses a token of more than 8,192 characters without a request', async () => {
    const { verifier, provider } = setUp();
    await expect(verifier.verify(await createToken({ pad: 'x'.repeat(8192) }))).rejects.toMatchObject(
      matchAuthError('too_large'),
    );
    expect(provider.requestedUrls).toEqual([]);
  });

  it.each<[string, Claims]>([
    ['no expiry', { exp: undefined }],
    ['an expiry beyond all calendars', { exp: 1e300 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with NUL', { sub: 'alice\u0000' }],
    ['an endless subject', { sub: 'a'.repeat(256) }],
  ])('refuses a token with %s', async (_, claims) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await createToken(claims))).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it('refuses a token with one changed character', async () => {
    const genuine = await createToken({ email: 'alice@example.test' });
    const { verifier } = setUp();
    await verifier.verify(genuine);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(genuine.length - 1),
        fc.constantFrom('A', 'B', 'x', 'z', '0', '9', '-', '_', '.'),
        async (at, letter) => {
          const changed = genuine.slice(0, at) + letter + genuine.slice(at + 1);
          // The last character of a base64url part has unused bits.
          fc.pre(changed !== genuine && !['', '.'].includes(genuine.charAt(at + 1)));
          await expect(verifier.verify(changed)).rejects.toMatchObject({ name: 'AuthError' });
        },
      ),
      { numRuns: 60 * effort },
    );
  });

  it('throws an AuthError for every other text, without a request', async () => {
    const { verifier, provider } = setUp();
    const piece = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => base64url.encode(text)),
    );
    const malformed = fc.oneof(
      fc.string(),
      fc.tuple(piece, piece, piece).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(malformed, async (text) => {
        await expect(verifier.verify(text)).rejects.toMatchObject({ name: 'AuthError' });
      }),
    );
    expect(provider.requestedUrls).toEqual([]);
  });
});
