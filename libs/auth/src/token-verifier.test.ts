import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHmac, createSecretKey } from 'node:crypto';
import { base64url, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import type { CryptoKey, JWK, JWTHeaderParameters, JWTPayload } from 'jose';
import { TokenVerifier } from './token-verifier.ts';
import type { IssuerConfig, TokenVerifierOptions } from './token-verifier.ts';

const ISSUER = 'https://id.example.test';
const AUDIENCE = 'gatehouse';
const START = new Date('2026-03-01T12:00:00Z');
const seconds = (n: number) => Math.floor(START.getTime() / 1000) + n;

interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

async function signingKey(alg: string, kid?: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid !== undefined && { kid }) },
  };
}

/** An identity provider in memory: two documents, a switch, and a record of what was asked. */
class Provider {
  readonly asked: string[] = [];
  down = false;
  constructor(
    public keys: JWK[],
    readonly issuer = ISSUER,
    readonly discovery: Record<string, unknown> = { issuer, jwks_uri: `${issuer}/keys` },
  ) {}
  readonly fetch: typeof fetch = async (input) => {
    const url = input instanceof Request ? input.url : input.toString();
    this.asked.push(url);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.down) throw new TypeError('fetch failed');
    if (url === `${this.issuer}/.well-known/openid-configuration`) return Response.json(this.discovery);
    if (url === `${this.issuer}/keys`) return Response.json({ keys: this.keys });
    return new Response('nothing here', { status: 404 });
  };
}

class TestClock {
  at = START.getTime();
  readonly now = () => new Date(this.at);
  forward(ms: number): void {
    this.at += ms;
  }
}

const roles = { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } };
const local: IssuerConfig = { id: 'local', issuer: ISSUER, roles };

let rsa: SigningKey;
let ec: SigningKey;

beforeAll(async () => {
  rsa = await signingKey('RS256', 'rsa-1');
  ec = await signingKey('ES256', 'ec-1');
});

function setUp(options: Partial<TokenVerifierOptions> = {}, provider = new Provider([rsa.jwk, ec.jwk])) {
  const clock = new TestClock();
  const verifier = new TokenVerifier({
    issuers: [local],
    audience: AUDIENCE,
    fetch: provider.fetch,
    now: clock.now,
    ...options,
  });
  return { provider, clock, verifier };
}

const good: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', exp: seconds(300) };

type Claims = Record<string, unknown>;

async function token(
  claims: Claims = {},
  header: Partial<JWTHeaderParameters> = {},
  key: SigningKey = ec,
): Promise<string> {
  const payload = Object.fromEntries(Object.entries({ ...good, ...claims }).filter(([, value]) => value !== undefined));
  const named = { alg: key.jwk.alg ?? 'ES256', kid: key.jwk.kid ?? 'none', ...header };
  return new SignJWT(payload).setProtectedHeader(named).sign(key.privateKey);
}

/** A token whose header and payload are any text, signed with the EC key over exactly those bytes. */
async function rawToken(header: string, payload: string): Promise<string> {
  const input = `${base64url.encode(header)}.${base64url.encode(payload)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    ec.privateKey,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}

const refused = (code: string) => ({ name: 'AuthError', code });

describe('a token that is in order', () => {
  it('gives the facts of its holder', async () => {
    const { verifier } = setUp();
    const facts = await verifier.verify(await token({ email: 'alice@example.test', name: 'Alice', roles: ['admin'] }));
    expect(facts).toMatchObject({
      issuer: ISSUER,
      issuerId: 'local',
      subject: 'alice',
      email: 'alice@example.test',
      name: 'Alice',
    });
    expect([...facts.roles]).toEqual(['user', 'admin']);
    expect(facts.expiresAt.getTime()).toBe(seconds(300) * 1000);
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'may be signed with %s',
    async (alg) => {
      const key = await signingKey(alg, 'k');
      const { verifier } = setUp({}, new Provider([key.jwk]));
      expect((await verifier.verify(await token({}, {}, key))).subject).toBe('alice');
    },
  );

  it('may name several audiences', async () => {
    const { verifier } = setUp();
    expect((await verifier.verify(await token({ aud: ['other', AUDIENCE] }))).subject).toBe('alice');
  });

  it.each([undefined, 'JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt'])('may have the type %s', async (typ) => {
    const { verifier } = setUp();
    expect((await verifier.verify(await token({}, typ === undefined ? {} : { typ }))).subject).toBe('alice');
  });

  it('may be up to 60 s past its expiry and before its beginning, and no more', async () => {
    const { verifier } = setUp();
    expect((await verifier.verify(await token({ exp: seconds(-59) }))).subject).toBe('alice');
    expect((await verifier.verify(await token({ nbf: seconds(60) }))).subject).toBe('alice');
    await expect(verifier.verify(await token({ exp: seconds(-60) }))).rejects.toMatchObject(refused('expired'));
    await expect(verifier.verify(await token({ nbf: seconds(61) }))).rejects.toMatchObject(refused('not_yet_valid'));
  });

  it('may leave out kid: every key that fits is tried', async () => {
    const first = await signingKey('ES256');
    const second = await signingKey('ES256');
    const { verifier } = setUp({}, new Provider([first.jwk, second.jwk]));
    const bare = await new SignJWT(good).setProtectedHeader({ alg: 'ES256' }).sign(second.privateKey);
    expect((await verifier.verify(bare)).subject).toBe('alice');
    const foreign = await signingKey('ES256');
    const forged = await new SignJWT(good).setProtectedHeader({ alg: 'ES256' }).sign(foreign.privateKey);
    await expect(verifier.verify(forged)).rejects.toMatchObject(refused('bad_signature'));
  });
});

describe('an attacker', () => {
  it('cannot leave the signature out', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(new UnsecuredJWT(good).encode())).rejects.toMatchObject(
      refused('unsupported_algorithm'),
    );
    for (const alg of ['None', 'NONE', 'nOnE', '']) {
      const forged = `${base64url.encode(JSON.stringify({ alg }))}.${base64url.encode(JSON.stringify(good))}.`;
      await expect(verifier.verify(forged)).rejects.toMatchObject(refused('unsupported_algorithm'));
    }
  });

  it('cannot use the public key as a shared secret', async () => {
    const { verifier } = setUp();
    for (const secret of [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk)]) {
      const forged = await new SignJWT(good)
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa-1' })
        .sign(createSecretKey(Buffer.from(secret)));
      await expect(verifier.verify(forged)).rejects.toMatchObject(refused('unsupported_algorithm'));
    }
  });

  it('cannot use a shared secret that the issuer published by mistake', async () => {
    const secret = base64url.encode('0123456789abcdef0123456789abcdef');
    const { verifier } = setUp({}, new Provider([{ kty: 'oct', k: secret, kid: 'ec-1', alg: 'ES256' }]));
    const input = `${base64url.encode(JSON.stringify({ alg: 'ES256', kid: 'ec-1' }))}.${base64url.encode(JSON.stringify(good))}`;
    const mac = createHmac('sha256', base64url.decode(secret)).update(input).digest('base64url');
    await expect(verifier.verify(`${input}.${mac}`)).rejects.toMatchObject(refused('unknown_key'));
  });

  it('cannot bring another issuer, audience or key', async () => {
    const { verifier } = setUp();
    const foreign = await signingKey('ES256', 'ec-1');
    await expect(verifier.verify(await token({ iss: 'https://evil.example.test' }))).rejects.toMatchObject(
      refused('unknown_issuer'),
    );
    await expect(verifier.verify(await token({ iss: `${ISSUER}/` }))).rejects.toMatchObject(refused('unknown_issuer'));
    await expect(verifier.verify(await token({ iss: undefined }))).rejects.toMatchObject(refused('unknown_issuer'));
    await expect(verifier.verify(await token({ aud: 'other' }))).rejects.toMatchObject(refused('wrong_audience'));
    await expect(verifier.verify(await token({ aud: ['other', `${AUDIENCE}2`] }))).rejects.toMatchObject(
      refused('wrong_audience'),
    );
    await expect(verifier.verify(await token({ aud: undefined }))).rejects.toMatchObject(refused('wrong_audience'));
    await expect(verifier.verify(await token({}, {}, foreign))).rejects.toMatchObject(refused('bad_signature'));
  });

  it('cannot sign for one issuer with the key of another', async () => {
    const other = 'https://other.example.test';
    const otherKey = await signingKey('ES256', 'ec-1');
    const providers = [new Provider([ec.jwk]), new Provider([otherKey.jwk], other)] as const;
    const route: typeof fetch = (input, init) =>
      providers[JSON.stringify(input).includes(other) ? 1 : 0].fetch(input, init);
    const { verifier } = setUp({ fetch: route, issuers: [local, { id: 'other', issuer: other }] });
    expect(
      (await verifier.verify(await token({ iss: other, roles: ['admin'] }, {}, otherKey))).roles.has('admin'),
    ).toBe(false);
    expect((await verifier.verify(await token({ iss: other }, {}, otherKey))).issuerId).toBe('other');
    await expect(verifier.verify(await token({}, {}, otherKey))).rejects.toMatchObject(refused('bad_signature'));
  });

  it.each([
    '../../../../dev/null',
    '/etc/passwd',
    'http://evil.example.test/key',
    "' OR 1=1 --",
    '\u0000',
    '__proto__',
    'constructor',
  ])('cannot make the name of a key mean anything: %j', async (kid) => {
    const { verifier, provider } = setUp();
    await expect(verifier.verify(await token({}, { kid }))).rejects.toMatchObject(refused('unknown_key'));
    expect(new Set(provider.asked)).toEqual(new Set([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`]));
  });

  it('cannot name a key by anything but a short string', async () => {
    const { verifier, provider } = setUp();
    for (const kid of [7, null, ['ec-1'], { a: 1 }, 'k'.repeat(513)]) {
      const forged = await rawToken(JSON.stringify({ alg: 'ES256', kid }), JSON.stringify(good));
      await expect(verifier.verify(forged)).rejects.toMatchObject(refused('malformed'));
    }
    expect(provider.asked).toEqual([]);
  });

  it('cannot bring the key along', async () => {
    const own = await signingKey('ES256', 'mine');
    const { verifier, provider } = setUp();
    const header = {
      jku: 'https://evil.example.test/keys',
      x5u: 'https://evil.example.test/cert',
      jwk: own.jwk,
      x5c: ['AAAA'],
    };
    await expect(verifier.verify(await token({}, header, own))).rejects.toMatchObject(refused('unknown_key'));
    expect(provider.asked.every((url) => url.startsWith(ISSUER))).toBe(true);
    expect((await verifier.verify(await token({}, header))).subject).toBe('alice');
  });

  it('cannot use extensions that change what is signed', async () => {
    const { verifier } = setUp();
    for (const header of [{ crit: ['b64'], b64: false }, { b64: true }, { crit: [] }, { crit: ['exp'], exp: 1 }]) {
      const forged = await rawToken(JSON.stringify({ alg: 'ES256', kid: 'ec-1', ...header }), JSON.stringify(good));
      await expect(verifier.verify(forged)).rejects.toMatchObject(refused('unsupported_header'));
    }
  });

  it('cannot pass off another kind of token', async () => {
    const { verifier } = setUp();
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', '']) {
      await expect(verifier.verify(await token({}, { typ }))).rejects.toMatchObject(refused('unsupported_header'));
    }
  });

  it('cannot make it work on a huge token', async () => {
    const { verifier, provider } = setUp();
    await expect(verifier.verify(await token({ pad: 'x'.repeat(8192) }))).rejects.toMatchObject(refused('too_large'));
    expect(provider.asked).toEqual([]);
  });

  it.each<[string, Claims]>([
    ['no expiry', { exp: undefined }],
    ['an expiry beyond all calendars', { exp: 1e300 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with NUL', { sub: 'alice\u0000' }],
    ['an endless subject', { sub: 'a'.repeat(256) }],
  ])('gets nowhere with %s', async (_, claims) => {
    const { verifier } = setUp();
    await expect(verifier.verify(await token(claims))).rejects.toMatchObject(refused('bad_claims'));
  });

  it('cannot change a byte of a token', async () => {
    const genuine = await token({ email: 'alice@example.test' });
    const { verifier } = setUp();
    await verifier.verify(genuine);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(genuine.length - 1),
        fc.constantFrom('A', 'B', 'x', 'z', '0', '9', '-', '_', '.'),
        async (at, letter) => {
          const changed = genuine.slice(0, at) + letter + genuine.slice(at + 1);
          // The last letter of a base64url part holds bits that mean nothing.
          fc.pre(changed !== genuine && !['', '.'].includes(genuine.charAt(at + 1)));
          await expect(verifier.verify(changed)).rejects.toMatchObject({ name: 'AuthError' });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gets an AuthError for every piece of rubbish, and no fetch', async () => {
    const { verifier, provider } = setUp();
    const piece = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => base64url.encode(text)),
    );
    const rubbish = fc.oneof(
      fc.string(),
      fc.tuple(piece, piece, piece).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(rubbish, async (text) => {
        await expect(verifier.verify(text)).rejects.toMatchObject({ name: 'AuthError' });
      }),
    );
    expect(provider.asked).toEqual([]);
  });
});

describe("the issuer's keys", () => {
  it('are fetched once for everybody who waits for them', async () => {
    const { verifier, provider } = setUp();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => token({ sub: `user-${i}` })));
    const facts = await Promise.all(tokens.map((one) => verifier.verify(one)));
    expect(facts.map((one) => one.subject)).toEqual(tokens.map((_, i) => `user-${i}`));
    expect(provider.asked).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`]);
  });

  it('come from the configured place without discovery', async () => {
    const { verifier, provider } = setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }] });
    await verifier.verify(await token());
    expect(provider.asked).toEqual([`${ISSUER}/keys`]);
  });

  it('are unavailable, not refused, when the issuer cannot be asked and none are known', async () => {
    const { verifier, provider, clock } = setUp();
    provider.down = true;
    await expect(verifier.verify(await token())).rejects.toMatchObject(refused('unavailable'));
    provider.down = false;
    clock.forward(1_000);
    expect((await verifier.verify(await token())).subject).toBe('alice');
  });

  it('are asked for at most once a second while the issuer is down', async () => {
    const { verifier, provider } = setUp();
    provider.down = true;
    for (let i = 0; i < 10; i += 1)
      await expect(verifier.verify(await token({ sub: `u${i}` }))).rejects.toMatchObject(refused('unavailable'));
    expect(provider.asked).toHaveLength(1);
  });

  it('keep working while the issuer is down', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await token());
    provider.down = true;
    for (const minutes of [1, 9, 11, 30]) {
      clock.at = START.getTime() + minutes * 60_000;
      expect((await verifier.verify(await token({ sub: `at-${minutes}`, exp: seconds(7200) }))).subject).toBe(
        `at-${minutes}`,
      );
    }
  });

  it('are looked at again for a new key, at once the first time and then once in 30 s', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await token());
    const second = await signingKey('ES256', 'ec-2');
    provider.keys = [ec.jwk, second.jwk];
    expect((await verifier.verify(await token({}, {}, second))).subject).toBe('alice');
    const third = await signingKey('ES256', 'ec-3');
    provider.keys = [third.jwk];
    await expect(verifier.verify(await token({}, {}, third))).rejects.toMatchObject(refused('unknown_key'));
    clock.forward(30_000);
    expect((await verifier.verify(await token({}, {}, third))).subject).toBe('alice');
  });

  it('are fetched once in 30 s under a flood of unknown keys', async () => {
    const { verifier, provider, clock } = setUp({ issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }] });
    await verifier.verify(await token());
    const flood = async () => {
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => token({}, { kid: `unknown-${i}` })));
      for (const part of [tokens.slice(0, 25), tokens.slice(25)]) {
        const outcomes = await Promise.allSettled(part.map((one) => verifier.verify(one)));
        expect(outcomes.every((one) => one.status === 'rejected')).toBe(true);
      }
    };
    await flood();
    expect(provider.asked).toHaveLength(2);
    clock.forward(29_999);
    await flood();
    expect(provider.asked).toHaveLength(2);
    clock.forward(1);
    await flood();
    expect(provider.asked).toHaveLength(3);
  });

  it('leave a token with an unknown key undecided when the look fails', async () => {
    const { verifier, provider, clock } = setUp();
    await verifier.verify(await token());
    const second = await signingKey('ES256', 'ec-2');
    provider.keys = [second.jwk];
    provider.down = true;
    await expect(verifier.verify(await token({}, {}, second))).rejects.toMatchObject(refused('unavailable'));
    provider.down = false;
    clock.forward(30_000);
    expect((await verifier.verify(await token({}, {}, second))).subject).toBe('alice');
  });

  it('that were withdrawn stop even a token that was verified before', async () => {
    const { verifier, provider, clock } = setUp();
    const lasting = await token({ exp: seconds(7200) });
    await verifier.verify(lasting);
    const second = await signingKey('ES256', 'ec-2');
    provider.keys = [second.jwk];
    await verifier.verify(await token({}, {}, second));
    await expect(verifier.verify(lasting)).rejects.toMatchObject(refused('unknown_key'));
    clock.forward(3_600_000);
    await expect(verifier.verify(lasting)).rejects.toMatchObject(refused('unknown_key'));
  });

  it('are not taken from a discovery document of somebody else, or from a place less safe than the issuer', async () => {
    for (const discovery of [
      { issuer: 'https://evil.example.test', jwks_uri: `${ISSUER}/keys` },
      { issuer: ISSUER, jwks_uri: 'http://id.example.test/keys' },
      { issuer: ISSUER, jwks_uri: 'file:///etc/passwd' },
      { issuer: ISSUER },
    ]) {
      const provider = new Provider([ec.jwk], ISSUER, discovery);
      const { verifier } = setUp({}, provider);
      await expect(verifier.verify(await token())).rejects.toMatchObject(refused('unavailable'));
      expect(provider.asked).toHaveLength(1);
    }
  });

  it.each<[string, () => Response]>([
    ['an error page', () => new Response('<html>', { status: 500 })],
    ['no JSON', () => new Response('<html>')],
    ['a list', () => Response.json([])],
    ['no keys', () => Response.json({ keys: 'none' })],
    ['far too much', () => new Response(`{"keys":[],"pad":"${'x'.repeat(600_000)}"}`)],
  ])('are unavailable when the issuer answers with %s', async (_, answer) => {
    const { verifier } = setUp({
      issuers: [{ ...local, jwks_uri: `${ISSUER}/keys` }],
      fetch: () => Promise.resolve(answer()),
    });
    await expect(verifier.verify(await token())).rejects.toMatchObject(refused('unavailable'));
  });
});

describe('a token that was verified before', () => {
  it('is recalled until it expires, and not longer', async () => {
    const { verifier, clock } = setUp();
    const one = await token({ exp: seconds(30) });
    const facts = await verifier.verify(one);
    clock.forward(89_000);
    expect(verifier.recall(one)).toBe(facts);
    clock.forward(1_000);
    expect(verifier.recall(one)).toBeUndefined();
    await expect(verifier.verify(one)).rejects.toMatchObject(refused('expired'));
  });

  it('is verified again after five minutes', async () => {
    const { verifier, clock } = setUp();
    const one = await token({ exp: seconds(7200) });
    const facts = await verifier.verify(one);
    clock.forward(300_000);
    expect(verifier.recall(one)).toBeUndefined();
    expect(await verifier.verify(one)).not.toBe(facts);
  });

  it('is forgotten when many others came after it', async () => {
    const { verifier } = setUp();
    const [first, kept] = [await token({ sub: 'first' }), await token({ sub: 'kept' })];
    await verifier.verify(first);
    await verifier.verify(kept);
    for (let i = 0; i < 2000; i += 1) {
      await verifier.verify(await token({ sub: `u${i}` }));
      if (i % 500 === 0) expect(verifier.recall(kept)?.subject).toBe('kept');
    }
    expect(verifier.recall(first)).toBeUndefined();
    expect(verifier.recall(kept)?.subject).toBe('kept');
  });

  it('does not lend its result to a token that differs', async () => {
    const { verifier } = setUp();
    const one = await token();
    await verifier.verify(one);
    expect(verifier.recall(`${one}A`)).toBeUndefined();
    expect(verifier.recall(one.slice(0, -1))).toBeUndefined();
  });
});

describe('a configuration', () => {
  it('with the same issuer or id twice is refused, and one without issuers too', () => {
    const make = (issuers: IssuerConfig[]) => () => new TokenVerifier({ issuers, audience: AUDIENCE });
    expect(make([local, { ...local, id: 'again' }])).toThrow('listed twice');
    expect(make([local, { ...local, issuer: 'https://other.example.test' }])).toThrow(
      'two token issuers have the id local',
    );
    expect(make([])).toThrow('at least one token issuer');
  });

  it('says whether anybody can be admin or auditor', () => {
    const of = (config: IssuerConfig) =>
      new TokenVerifier({ issuers: [config], audience: AUDIENCE }).administrationConfigured;
    expect(of(local)).toBe(true);
    expect(of({ id: 'x', issuer: ISSUER })).toBe(false);
    expect(of({ id: 'x', issuer: ISSUER, roles: { claim: 'r', values: { gateway: ['g'] } } })).toBe(false);
  });
});
