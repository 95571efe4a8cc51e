import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import {
  ISSUER,
  AUDIENCE,
  START,
  toSeconds,
  createSigningKey,
  Provider,
  local,
  ec,
  rsa,
  setUp,
  good,
  createToken,
  matchAuthError,
} from './tokens.fixture.ts';

/** Waits for a request in the background. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('TokenVerifier.verify', () => {
  it('accepts any audience, any issuer and ID tokens only where the issuer is configured so', async () => {
    const foreign = await createToken({ aud: 'other' });
    const unknown = await createToken({ iss: 'https://other.example.test' });
    const idToken = await createToken({ nonce: 'n', at_hash: 'h' });
    const withOption = (option: object) => setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys`, ...option }] });
    const any = withOption({ accepts_any_audience: true });
    expect((await any.verifier.verify(foreign)).audiences).toEqual(['other']);
    await expect(any.verifier.verify(unknown)).rejects.toMatchObject(matchAuthError('unknown_issuer'));
    const anonymous = withOption({ accepts_any_issuer: true });
    expect(await anonymous.verifier.verify(unknown)).toMatchObject({
      issuer: 'https://other.example.test',
      tokenIssuer: 'https://other.example.test',
    });
    await expect(anonymous.verifier.verify(foreign)).rejects.toMatchObject(matchAuthError('wrong_audience'));
    await expect(
      anonymous.verifier.verify(await createToken({}, {}, await createSigningKey('ES256', 'ec-1'))),
    ).rejects.toMatchObject(matchAuthError('bad_signature'));
    await expect(any.verifier.verify(idToken)).rejects.toMatchObject(matchAuthError('bad_claims'));
    const lenient = withOption({ accepts_id_tokens: true });
    expect((await lenient.verifier.verify(idToken)).subject).toBe('alice');
    await expect(lenient.verifier.verify(await createToken({ typ: 'Refresh' }))).rejects.toMatchObject(
      matchAuthError('bad_claims'),
    );
  });

  it('returns the facts of a token', async () => {
    const { verifier } = setUp();
    const facts = await verifier.verify(
      await createToken({ email: 'alice@example.test', name: 'Alice', roles: ['admin'] }),
    );
    expect(facts).toMatchObject({
      issuer: ISSUER,
      issuerId: 'local',
      subject: 'alice',
      email: 'alice@example.test',
      name: 'Alice',
    });
    expect([...facts.roles]).toEqual(['user', 'admin']);
    expect(facts.expiresAt.getTime()).toBe(toSeconds(300) * 1000);
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'accepts a signature with %s',
    async (alg) => {
      const key = await createSigningKey(alg, 'k');
      const { verifier } = setUp({}, new Provider([key.jwk]));
      expect((await verifier.verify(await createToken({}, {}, key))).subject).toBe('alice');
    },
  );

  it('accepts a token with several audiences', async () => {
    const { verifier } = setUp();
    expect((await verifier.verify(await createToken({ aud: ['other', AUDIENCE] }))).subject).toBe('alice');
  });

  it.each([undefined, 'JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt'])('accepts the type %s', async (typ) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await createToken({}, typ === undefined ? {} : { typ }))).subject).toBe('alice');
  });

  it('accepts a token up to 60 s after its expiry and before its start', async () => {
    const { verifier } = setUp();
    expect((await verifier.verify(await createToken({ exp: toSeconds(-59) }))).subject).toBe('alice');
    expect((await verifier.verify(await createToken({ nbf: toSeconds(60) }))).subject).toBe('alice');
    await expect(verifier.verify(await createToken({ exp: toSeconds(-60) }))).rejects.toMatchObject(
      matchAuthError('expired'),
    );
    await expect(verifier.verify(await createToken({ nbf: toSeconds(61) }))).rejects.toMatchObject(
      matchAuthError('not_yet_valid'),
    );
  });

  it('tries every matching key for a token without kid', async () => {
    const first = await createSigningKey('ES256');
    const second = await createSigningKey('ES256');
    const { verifier } = setUp({}, new Provider([first.jwk, second.jwk]));
    const bare = await new SignJWT(good).setProtectedHeader({ alg: 'ES256' }).sign(second.privateKey);
    expect((await verifier.verify(bare)).subject).toBe('alice');
    const foreign = await createSigningKey('ES256');
    const forged = await new SignJWT(good).setProtectedHeader({ alg: 'ES256' }).sign(foreign.privateKey);
    await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('bad_signature'));
  });
});

describe('the keys of an issuer', () => {
  it('are requested once for concurrent callers', async () => {
    const { verifier, provider } = setUp();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => createToken({ sub: `user-${i}` })));
    const facts = await Promise.all(tokens.map((one) => verifier.verify(one)));
    expect(facts.map((one) => one.subject)).toEqual(tokens.map((_, i) => `user-${i}`));
    expect(provider.requestedUrls).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`]);
  });

  it('come from the configured address without discovery', async () => {
    const { verifier, provider } = setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }] });
    await verifier.verify(await createToken());
    expect(provider.requestedUrls).toEqual([`${ISSUER}/keys`]);
  });

  it('of an issuer in this process are read without a request, and once for many tokens', async () => {
    let reads = 0;
    const readKeySet = () => {
      reads += 1;
      return Promise.resolve({ keys: [ec.jwk] });
    };
    const provider = new Provider([]);
    const { verifier } = setUp({ issuers: [{ ...local, key_set: readKeySet }] }, provider);
    const token = await createToken({});
    await Promise.all([verifier.verify(token), verifier.verify(await createToken({ jti: 'other' }))]);
    expect(verifier.recall(token)).toBeDefined();
    expect(reads).toBe(1);
    expect(provider.requestedUrls).toEqual([]);
  });

  it('are unavailable when none are known and the issuer does not answer', async () => {
    const { verifier, provider, clock } = setUp();
    provider.isDown = true;
    await expect(verifier.verify(await createToken())).rejects.toMatchObject(matchAuthError('unavailable'));
    provider.isDown = false;
    clock.forward(1_000);
    expect((await verifier.verify(await createToken())).subject).toBe('alice');
  });

  it('are requested at most once a second while the issuer does not answer', async () => {
    const { verifier, provider } = setUp();
    provider.isDown = true;
    for (let i = 0; i < 10; i += 1)
      await expect(verifier.verify(await createToken({ sub: `u${i}` }))).rejects.toMatchObject(
        matchAuthError('unavailable'),
      );
    expect(provider.requestedUrls).toHaveLength(1);
  });

  it('stay in use while the issuer does not answer', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await createToken());
    provider.isDown = true;
    for (const minutes of [1, 9, 11, 30]) {
      clock.at = START.getTime() + minutes * 60_000;
      expect((await verifier.verify(await createToken({ sub: `at-${minutes}`, exp: toSeconds(7200) }))).subject).toBe(
        `at-${minutes}`,
      );
    }
  });

  it('are requested for an unknown key at once, and then once in 30 s', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await createToken());
    const second = await createSigningKey('ES256', 'ec-2');
    provider.keys = [ec.jwk, second.jwk];
    expect((await verifier.verify(await createToken({}, {}, second))).subject).toBe('alice');
    const third = await createSigningKey('ES256', 'ec-3');
    provider.keys = [third.jwk];
    await expect(verifier.verify(await createToken({}, {}, third))).rejects.toMatchObject(
      matchAuthError('unknown_key'),
    );
    clock.forward(30_000);
    expect((await verifier.verify(await createToken({}, {}, third))).subject).toBe('alice');
  });

  it('are requested once in 30 s during a flood of unknown keys', async () => {
    const { verifier, provider, clock } = setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }] });
    await verifier.verify(await createToken());
    const flood = async () => {
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => createToken({}, { kid: `unknown-${i}` })));
      for (const part of [tokens.slice(0, 25), tokens.slice(25)]) {
        const outcomes = await Promise.allSettled(part.map((one) => verifier.verify(one)));
        expect(outcomes.every((one) => one.status === 'rejected')).toBe(true);
      }
    };
    await flood();
    expect(provider.requestedUrls).toHaveLength(2);
    clock.forward(29_999);
    await flood();
    expect(provider.requestedUrls).toHaveLength(2);
    clock.forward(1);
    await flood();
    // One request because of the age of the keys, one because of the flood.
    expect(provider.requestedUrls).toHaveLength(4);
    await flood();
    expect(provider.requestedUrls).toHaveLength(4);
  });

  it('are unavailable for an unknown key when the request fails', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await createToken());
    const second = await createSigningKey('ES256', 'ec-2');
    provider.keys = [second.jwk];
    provider.isDown = true;
    await expect(verifier.verify(await createToken({}, {}, second))).rejects.toMatchObject(
      matchAuthError('unavailable'),
    );
    provider.isDown = false;
    clock.forward(30_000);
    expect((await verifier.verify(await createToken({}, {}, second))).subject).toBe('alice');
  });

  it('refuse a verified token after their withdrawal', async () => {
    const { verifier, provider, clock } = setUp();
    const lasting = await createToken({ exp: toSeconds(7200) });
    await verifier.verify(lasting);
    const second = await createSigningKey('ES256', 'ec-2');
    provider.keys = [second.jwk];
    await verifier.verify(await createToken({}, {}, second));
    await expect(verifier.verify(lasting)).rejects.toMatchObject(matchAuthError('unknown_key'));
    clock.forward(3_600_000);
    await expect(verifier.verify(lasting)).rejects.toMatchObject(matchAuthError('unknown_key'));
  });

  it('stop within 60 s of their withdrawal while tokens arrive', async () => {
    const { verifier, provider, clock } = setUp();
    const lasting = await createToken({ exp: toSeconds(7200) });
    await verifier.verify(lasting);
    provider.keys = [rsa.jwk];
    for (let second = 0; second < 60; second += 1) {
      await Promise.resolve(verifier.recall(lasting) ?? verifier.verify(lasting)).catch(() => undefined);
      await settled();
      clock.forward(1_000);
    }
    expect(verifier.recall(lasting)).toBeUndefined();
    await expect(verifier.verify(lasting)).rejects.toMatchObject(matchAuthError('unknown_key'));
  });

  it('stop for the first tokens after a pause of 60 s', async () => {
    const { verifier, provider, clock } = setUp();
    const lasting = await createToken({ exp: toSeconds(7200) });
    await verifier.verify(lasting);
    provider.keys = [rsa.jwk];
    clock.forward(60_000);
    expect(verifier.recall(lasting)).toBeUndefined();
    const together = await Promise.allSettled([verifier.verify(lasting), verifier.verify(lasting)]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are requested at most once in 30 s for the same token', async () => {
    const { verifier, provider, clock } = setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }] });
    const lasting = await createToken({ exp: toSeconds(7200) });
    await verifier.verify(lasting);
    for (let second = 0; second < 120; second += 1) {
      clock.forward(1_000);
      await verifier.verify(lasting);
      await settled();
    }
    expect(provider.requestedUrls).toHaveLength(5);
  });

  it('are found at once when they are new, also after a request in the background', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await createToken());
    clock.forward(31_000);
    await verifier.verify(await createToken());
    await settled();
    const second = await createSigningKey('ES256', 'ec-2');
    provider.keys = [ec.jwk, second.jwk];
    expect((await verifier.verify(await createToken({}, {}, second))).subject).toBe('alice');
  });

  it('are not taken from a discovery document of another issuer, or from an insecure address', async () => {
    for (const discovery of [
      { issuer: 'https://evil.example.test', jwks_uri: `${ISSUER}/keys` },
      { issuer: ISSUER, jwks_uri: 'http://id.example.test/keys' },
      { issuer: ISSUER, jwks_uri: 'file:///etc/passwd' },
      { issuer: ISSUER },
    ]) {
      const provider = new Provider([ec.jwk], ISSUER, discovery);
      const { verifier } = setUp({}, provider);
      await expect(verifier.verify(await createToken())).rejects.toMatchObject(matchAuthError('unavailable'));
      expect(provider.requestedUrls).toHaveLength(1);
    }
  });

  it.each<[string, () => Response]>([
    ['an error page', () => new Response('<html>', { status: 500 })],
    ['no JSON', () => new Response('<html>')],
    ['a list', () => Response.json([])],
    ['no keys', () => Response.json({ keys: 'none' })],
    ['far too much', () => new Response(`{"keys":[],"pad":"${'x'.repeat(600_000)}"}`)],
  ])('are unavailable when the issuer answers with %s', async (_, respond) => {
    const { verifier } = setUp({
      issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }],
      fetch: () => Promise.resolve(respond()),
    });
    await expect(verifier.verify(await createToken())).rejects.toMatchObject(matchAuthError('unavailable'));
  });
});

describe('TokenVerifier.recall', () => {
  it('returns a verified token until its expiry', async () => {
    const { verifier, clock } = setUp();
    const one = await createToken({ exp: toSeconds(30) });
    const facts = await verifier.verify(one);
    clock.forward(45_000);
    expect(verifier.recall(one)).toBe(facts);
    await settled();
    clock.forward(44_000);
    expect(verifier.recall(one)).toBe(facts);
    clock.forward(1_000);
    expect(verifier.recall(one)).toBeUndefined();
    await expect(verifier.verify(one)).rejects.toMatchObject(matchAuthError('expired'));
  });

  it('returns undefined after five minutes', async () => {
    const { verifier, clock } = setUp();
    const one = await createToken({ exp: toSeconds(7200) });
    const facts = await verifier.verify(one);
    for (let minute = 0; minute < 5; minute += 1) {
      clock.forward(59_000);
      expect(verifier.recall(one)).toBe(facts);
      await settled();
    }
    clock.forward(5_000);
    expect(verifier.recall(one)).toBeUndefined();
    expect(await verifier.verify(one)).not.toBe(facts);
  });

  it('drops the least recently used of 2,000 tokens', async () => {
    const { verifier } = setUp();
    const [first, kept] = [await createToken({ sub: 'first' }), await createToken({ sub: 'kept' })];
    await verifier.verify(first);
    await verifier.verify(kept);
    for (let i = 0; i < 2000; i += 1) {
      await verifier.verify(await createToken({ sub: `u${i}` }));
      if (i % 500 === 0) expect(verifier.recall(kept)?.subject).toBe('kept');
    }
    expect(verifier.recall(first)).toBeUndefined();
    expect(verifier.recall(kept)?.subject).toBe('kept');
  });

  it('returns undefined for another token', async () => {
    const { verifier } = setUp();
    const one = await createToken();
    await verifier.verify(one);
    expect(verifier.recall(`${one}A`)).toBeUndefined();
    expect(verifier.recall(one.slice(0, -1))).toBeUndefined();
  });
});
