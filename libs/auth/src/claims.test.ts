import { describe, expect, it } from '@jest/globals';
import { base64url, exportJWK, generateKeyPair } from 'jose';
import { TokenVerifier } from './token-verifier.ts';

const ISSUER = 'https://id.example.test';
const NOW = new Date('2026-03-01T12:00:00Z');
const later = NOW.getTime() / 1000 + 300;

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'k' };
const verifier = new TokenVerifier({
  issuers: [
    {
      id: 'local',
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/keys`,
      roles: { claim: 'roles', values: { admin: ['admin'] } },
    },
  ],
  audience: 'gatehouse',
  now: () => NOW,
  fetch: () => Promise.resolve(Response.json({ keys: [jwk] })),
});

/**
 * Verifies a token of the genuine issuer with any payload. JSON.stringify cannot write a claim
 * twice.
 */
async function verified(payload: string, header = '{"alg":"ES256","kid":"k"}') {
  const input = `${base64url.encode(header)}.${base64url.encode(payload)}`;
  const bytes = new TextEncoder().encode(input);
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes);
  return verifier.verify(`${input}.${base64url.encode(new Uint8Array(signature))}`);
}

const payload = (claims: string, rest = `"iss":"${ISSUER}","aud":"gatehouse","sub":"alice","exp":${later}`) =>
  `{${[rest, claims].filter(Boolean).join()}}`;
const refused = (code: string) => ({ name: 'AuthError', code });

describe('TokenVerifier with unusual claims of a genuine issuer', () => {
  it.each([
    '"aud":null',
    '"aud":[]',
    '"aud":{"gatehouse":1}',
    '"aud":[["gatehouse"]]',
    '"aud":["gatehouse",null]',
    '"aud":["gatehouse",{"a":1}]',
    '"aud":"Gatehouse"',
    '"aud":"gatehouse "',
    '"aud":["other gatehouse"]',
    '"aud":0',
    '"aud":true',
  ])('refuses the audience %s', async (aud) => {
    await expect(verified(payload(aud, `"iss":"${ISSUER}","sub":"alice","exp":${later}`))).rejects.toMatchObject(
      refused('wrong_audience'),
    );
  });

  it.each([
    `"exp":"${later}"`,
    '"exp":null',
    '"exp":true',
    `"exp":[${later}]`,
    '"exp":9007199254740993',
    '"exp":1e400',
    '"exp":8640000000000',
    `"iat":"${later}"`,
  ])('refuses the time %s', async (claim) => {
    await expect(verified(payload(claim))).rejects.toMatchObject(refused('bad_claims'));
  });

  it.each(['"nbf":"0"', '"nbf":null', '"nbf":9007199254740993'])('refuses the start %s', async (claim) => {
    await expect(verified(payload(claim))).rejects.toMatchObject(refused('not_yet_valid'));
  });

  it('uses the last of several claims with one name for all checks', async () => {
    expect((await verified(payload('"sub":"bob"'))).subject).toBe('bob');
    await expect(verified(payload('"iss":"https://evil.example.test"'))).rejects.toMatchObject(
      refused('unknown_issuer'),
    );
    await expect(verified(payload('"aud":"other"'))).rejects.toMatchObject(refused('wrong_audience'));
    await expect(verified(payload('"exp":1'))).rejects.toMatchObject(refused('expired'));
    expect([...(await verified(payload('"roles":["admin"],"roles":[]'))).roles]).toEqual(['user']);
    await expect(verified(payload(''), '{"alg":"ES256","kid":"k","alg":"none"}')).rejects.toMatchObject(
      refused('unsupported_algorithm'),
    );
  });

  it.each([
    '"roles":{"admin":true}',
    '"roles":{"0":"admin","length":1}',
    '"roles":[["admin"]]',
    '"roles":[{"toString":"admin"}]',
    '"roles":"admin auditor"',
    '"roles":["ADMIN"," admin","admin\\u0000"]',
    '"__proto__":{"roles":["admin"]}',
    '"constructor":{"prototype":{"roles":["admin"]}}',
    '"realm":{"roles":["admin"]}',
    '"roles.0":"admin"',
  ])('gives no role for %s', async (claim) => {
    expect([...(await verified(payload(claim))).roles]).toEqual(['user']);
    expect(({} as Record<string, unknown>)['roles']).toBeUndefined();
  });

  it.each(['null', '[]', '"text"', '7', '', '{', '{"iss":}'])('refuses the payload %s', async (text) => {
    await expect(verified(text)).rejects.toMatchObject(refused('malformed'));
  });
});
