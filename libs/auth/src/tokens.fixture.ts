import { base64url, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK, JWTHeaderParameters, JWTPayload } from 'jose';
import { TokenVerifier } from './token-verifier.ts';
import type { TokenVerifierOptions } from './token-verifier.ts';
import type { IssuerConfig } from './verifier-config.ts';

export const ISSUER = 'https://id.example.test';
export const AUDIENCE = 'gatehouse';
export const START = new Date('2026-03-01T12:00:00Z');
export const toSeconds = (n: number) => Math.floor(START.getTime() / 1000) + n;

interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

export async function createSigningKey(alg: string, kid?: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid !== undefined && { kid }) },
  };
}

/** An identity provider in memory, which can fail, with the addresses of its requests. */
export class Provider {
  readonly requestedUrls: string[] = [];
  isDown = false;
  constructor(
    public keys: JWK[],
    readonly issuer = ISSUER,
    readonly discovery: Record<string, unknown> = { issuer, jwks_uri: `${issuer}/keys` },
  ) {}
  readonly fetch: typeof fetch = async (input) => {
    const url = input instanceof Request ? input.url : input.toString();
    this.requestedUrls.push(url);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isDown) throw new TypeError('fetch failed');
    if (url === `${this.issuer}/.well-known/openid-configuration`) return Response.json(this.discovery);
    if (url === `${this.issuer}/keys`) return Response.json({ keys: this.keys });
    return new Response('nothing here', { status: 404 });
  };
}

export class TestClock {
  at = START.getTime();
  readonly now = () => new Date(this.at);
  forward(ms: number): void {
    this.at += ms;
  }
}

const roles = { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } };
export const local: IssuerConfig = { id: 'local', issuer: ISSUER, roles };

export const rsa = await createSigningKey('RS256', 'rsa-1');
export const ec = await createSigningKey('ES256', 'ec-1');

export function setUp(options: Partial<TokenVerifierOptions> = {}, provider = new Provider([rsa.jwk, ec.jwk])) {
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

export const good: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', exp: toSeconds(300) };

export type Claims = Record<string, unknown>;

export async function createToken(
  claims: Claims = {},
  header: Partial<JWTHeaderParameters> = {},
  key: SigningKey = ec,
): Promise<string> {
  const payload = Object.fromEntries(Object.entries({ ...good, ...claims }).filter(([, value]) => value !== undefined));
  const named = { alg: key.jwk.alg ?? 'ES256', kid: key.jwk.kid ?? 'none', ...header };
  return new SignJWT(payload).setProtectedHeader(named).sign(key.privateKey);
}

/** A token with any text as header and payload, signed with the EC key. */
export async function createRawToken(header: string, payload: string): Promise<string> {
  const input = `${base64url.encode(header)}.${base64url.encode(payload)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    ec.privateKey,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}

export const matchAuthError = (code: string) => ({ name: 'AuthError', code });
