import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, createPublicKey } from 'node:crypto';
import type { JsonObject } from './canonical.ts';
import { etagOfContent } from './envelope.ts';
import {
  alice,
  refusalCode,
  encodedEnvelope,
  signWithEs256,
  forgeEnvelope,
  makeKey,
  NOON,
  envelopeText,
  validHeader,
  type TestKey,
  unsignedEnvelope,
} from './envelopes.fixture.ts';
import { verifyEnvelope } from './verify.ts';

describe('verifyEnvelope with a forged signature', () => {
  let key: TestKey;
  let mallory: TestKey;
  beforeAll(async () => {
    key = await makeKey('current');
    mallory = await makeKey('current');
  });
  const judge = (text: string, jwks: unknown = { keys: [key.jwk] }) =>
    refusalCode(verifyEnvelope(text, jwks, { ...alice, now: NOON }));
  const content = (): JsonObject => ({
    ...unsignedEnvelope(),
    etag: etagOfContent(unsignedEnvelope().config, undefined),
  });
  const withHeader = (change: JsonObject, signer = key) =>
    forgeEnvelope(content(), { ...validHeader('current'), ...change }, signWithEs256(signer));

  it('accepts the forgery with the real key and header, as a control', async () => {
    expect(await judge(await withHeader({}))).toBe('accepted');
  });

  it('refuses a missing signature', async () => {
    const header = { ...validHeader('current'), alg: 'none' };
    expect(await judge(await forgeEnvelope(content(), header, () => new Uint8Array([1])))).toBe(
      'unsupported_algorithm',
    );
    const none = JSON.parse(await envelopeText(key)) as JsonObject & { signature: string };
    for (const signature of ['', '..', 'e30..', `${none.signature.split('..')[0]}..`])
      expect(await judge(JSON.stringify({ ...none, signature }))).toBe('malformed');
  });

  it('refuses an HMAC with the public key as its secret', async () => {
    const pem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    for (const alg of ['HS256', 'HS512']) {
      const text = await forgeEnvelope(content(), { ...validHeader('current'), alg }, (input) =>
        createHmac(alg === 'HS256' ? 'sha256' : 'sha512', pem)
          .update(input)
          .digest(),
      );
      expect(await judge(text)).toBe('unsupported_algorithm');
    }
  });

  it.each(['ES384', 'es256', 'RS256', 'EdDSA', null, ['ES256']])('refuses the algorithm %s', async (alg) => {
    expect(await judge(await withHeader({ alg }))).toBe('unsupported_algorithm');
  });

  it('refuses a key in the header', async () => {
    const brought: JsonObject[] = [
      { jwk: mallory.jwk },
      { jku: 'https://mallory.example/jwks.json' },
      { x5u: 'https://mallory.example/chain.pem' },
      { x5c: ['MIIB'] },
    ];
    for (const own of brought) expect(await judge(await withHeader(own, mallory))).toBe('unsupported_algorithm');
  });

  it('refuses unknown and missing key ids', async () => {
    expect(await judge(await withHeader({}, mallory))).toBe('bad_signature');
    expect(await judge(await withHeader({ kid: 'other' }))).toBe('unknown_key');
    expect(await judge(await withHeader({ kid: '__proto__' }))).toBe('unknown_key');
    for (const kid of [7, null]) expect(await judge(await withHeader({ kid }))).toBe('malformed');
  });

  it('refuses keys of other kinds and duplicate key ids', async () => {
    const { jwk } = key;
    const text = await envelopeText(key);
    for (const entry of [
      { ...jwk, use: 'enc' },
      { ...jwk, alg: 'ES384' },
      { ...jwk, crv: 'P-384' },
      { ...jwk, kty: 'oct' },
      { ...jwk, x: 'AAAA' },
      null,
    ])
      expect(await judge(text, { keys: [entry] })).toBe('unknown_key');
    expect(await judge(text, { keys: [jwk, mallory.jwk] })).toBe('unknown_key');
    expect(await judge(text, { keys: [{ ...mallory.jwk, kid: 'x' }, jwk, 'noise'] })).toBe('accepted');
    for (const jwks of [null, [], {}, { keys: {} }, 'keys']) expect(await judge(text, jwks)).toBe('malformed');
  });

  it('refuses the encoded form and a header without critical b64', async () => {
    const { b64: _b64, crit: _crit, ...encoded } = validHeader('current');
    expect(await judge(await encodedEnvelope(key, content(), encoded))).toBe('unsupported_header');
    const { crit: _alone, ...uncritical } = validHeader('current');
    expect(await judge(await forgeEnvelope(content(), uncritical, signWithEs256(key)))).toBe('unsupported_header');
    for (const change of [{ b64: true }, { b64: 'false' }, { crit: [] }, { crit: 'b64' }, { crit: ['b64', 'b64'] }])
      expect(await judge(await withHeader(change))).toBe('unsupported_header');
  });

  it('refuses unknown critical extensions and members', async () => {
    expect(await judge(await withHeader({ crit: ['b64', 'exp'], exp: 1 }))).toBe('unsupported_header');
    expect(await judge(await withHeader({ crit: ['exp', 'b64'], exp: 1 }))).toBe('unsupported_header');
    expect(await judge(await withHeader({ exp: 1 }))).toBe('unsupported_header');
  });

  it('refuses a signature of the manager over another type of content', async () => {
    for (const typ of ['JWT', 'gatehouse-checkpoint+jws', null])
      expect(await judge(await withHeader({ typ }))).toBe('unsupported_header');
  });

  it('refuses a duplicate header member', async () => {
    const header = JSON.stringify(validHeader('current'));
    const twice = header.replace('{', '{"aud":"gatehouse-desktop",');
    expect(await judge(await forgeEnvelope(content(), twice, signWithEs256(key)))).toBe('duplicate_member');
    expect(await judge(await forgeEnvelope(content(), '[]', signWithEs256(key)))).toBe('malformed');
  });

  it('refuses a signed time that differs from issued_at', async () => {
    const { iat } = validHeader('current') as { iat: number };
    for (const wrong of [iat + 1, iat - 1, String(iat), iat + 0.5])
      expect(await judge(await withHeader({ iat: wrong }))).toBe('malformed');
  });

  it('refuses non-canonical base64url', async () => {
    const envelope = JSON.parse(await envelopeText(key)) as JsonObject & { signature: string };
    const { signature } = envelope;
    for (const other of [
      `${signature}=`,
      signature.replace('..', '.e30.'),
      `${signature}.`,
      `${signature.slice(0, -1)}_`,
      ` ${signature}`,
    ])
      expect(await judge(JSON.stringify({ ...envelope, signature: other }))).toBe('malformed');
  });

  it('refuses the signature of another envelope', async () => {
    const { signature } = JSON.parse(await envelopeText(key, { config: {} })) as { signature: string };
    expect(await judge(JSON.stringify({ ...content(), signature }))).toBe('bad_signature');
  });
});
