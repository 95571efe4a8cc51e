import { base64url, type CryptoKey, exportJWK, FlattenedSign, generateKeyPair, type JWK } from 'jose';
import type { JsonObject } from './canonical.ts';
import { formatUserClaim, SIGNATURE_TYPE, signedBytes, type UnsignedEnvelope } from './envelope.ts';
import { signEnvelope } from './sign.ts';
import { SignedConfigError } from './errors.ts';

/** A manager's key for tests. */
export interface TestKey {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

/** The recipient of the fixtures. */
export const alice = { audience: 'gatehouse-cli', issuer: 'https://id.example', subject: 'alice' };

/** A time at which the fixtures are valid. */
export const NOON = new Date('2026-11-20T12:00:00.000Z');

/** Creates an ES256 key with its JWK. */
export async function makeKey(kid: string): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

/** A configuration issued at 11:00 for a day. */
export const unsignedEnvelope = (more: Partial<UnsignedEnvelope> = {}): UnsignedEnvelope => ({
  schema_version: '1',
  config: { playground: { value: true, enforcement: 'enforced' }, telemetry: { value: { sampling_rate: 0.25 } } },
  issued_at: '2026-11-20T11:00:00.000Z',
  not_after: '2026-11-21T11:00:00.000Z',
  refresh_interval: '5m',
  ...more,
});

/** The text of a valid envelope. */
export const envelopeText = async (
  key: TestKey,
  more: Partial<UnsignedEnvelope> = {},
  recipient = alice,
): Promise<string> => JSON.stringify(await signEnvelope(unsignedEnvelope(more), key, recipient));

/** The header of a valid envelope. */
export const validHeader = (kid: string): JsonObject => ({
  alg: 'ES256',
  kid,
  typ: SIGNATURE_TYPE,
  aud: alice.audience,
  sub: formatUserClaim(alice),
  iat: Date.parse('2026-11-20T11:00:00.000Z') / 1000,
  b64: false,
  crit: ['b64'],
});

/** An envelope with a forged header and the signature of `signWith`. */
export async function forgeEnvelope(
  envelope: JsonObject,
  header: JsonObject | string,
  signWith: (input: Uint8Array) => Promise<Uint8Array> | Uint8Array,
): Promise<string> {
  const text = base64url.encode(typeof header === 'string' ? header : JSON.stringify(header));
  const input = new Uint8Array([...new TextEncoder().encode(`${text}.`), ...signedBytes(envelope)]);
  return JSON.stringify({ ...envelope, signature: `${text}..${base64url.encode(await signWith(input))}` });
}

/** Signs with the real key over any header. */
export const signWithEs256 =
  ({ privateKey }: TestKey) =>
  async (input: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new Uint8Array(input)));

/** A JWS in the encoded form, which a verifier without RFC 7797 would accept. */
export async function encodedEnvelope(key: TestKey, envelope: JsonObject, header: JsonObject): Promise<string> {
  const jws = await new FlattenedSign(signedBytes(envelope))
    .setProtectedHeader({ ...header, alg: 'ES256' })
    .sign(key.privateKey);
  return JSON.stringify({ ...envelope, signature: `${jws.protected}..${jws.signature}` });
}

/** The code of the refusal; `accepted` without one. */
export async function refusalCode(judgement: Promise<unknown>): Promise<string> {
  try {
    await judgement;
    return 'accepted';
  } catch (error) {
    if (error instanceof SignedConfigError) return error.code;
    throw error;
  }
}
