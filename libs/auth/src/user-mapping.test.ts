import { describe, expect, it } from '@jest/globals';
import {
  ec,
  ISSUER,
  Provider,
  matchAuthError,
  setUp,
  createSigningKey,
  createToken,
  type Claims,
} from './tokens.fixture.ts';
import type { UserMapping } from './user-mapping.ts';

const EMBEDDED = 'https://gateway.example.test';
const FOREIGN = 'https://foreign.example.test';
const embeddedKey = await createSigningKey('ES256', 'embedded-1');
const foreignKey = await createSigningKey('ES256', 'foreign-1');
const roles = { claim: 'roles', values: { admin: ['admin'] } };

function scene(mapping: UserMapping = { issuers: [ISSUER], user: { subject_claim: 'corporate_sub' } }) {
  const providers = [
    new Provider([ec.jwk]),
    new Provider([embeddedKey.jwk], EMBEDDED),
    new Provider([foreignKey.jwk], FOREIGN),
  ];
  const fetch = (input: string | URL) =>
    providers.find(({ issuer }) => String(input).startsWith(issuer))?.fetch(input) ?? Promise.reject(new TypeError());
  const { verifier } = setUp({
    issuers: [
      { id: 'corporate', issuer: ISSUER, roles },
      { id: 'embedded', issuer: EMBEDDED, audience: ['gateway', 'gateway-2'], user_mapping: mapping },
      { id: 'foreign', issuer: FOREIGN },
    ],
    fetch,
  });
  const embedded = (claims: Claims) =>
    createToken(
      { iss: EMBEDDED, aud: 'gateway', sub: 'session-1', corporate_sub: 'alice', ...claims },
      {},
      embeddedKey,
    );
  const foreign = (claims: Claims) => createToken({ iss: FOREIGN, sub: 'mallory', ...claims }, {}, foreignKey);
  return { verifier, embedded, foreign };
}

describe('TokenVerifier with a user mapping', () => {
  it('gives the corporate user of a token of an embedded authorization server', async () => {
    const { verifier, embedded } = scene();
    expect(await verifier.verify(await embedded({}))).toMatchObject({
      issuer: ISSUER,
      issuerId: 'corporate',
      subject: 'alice',
      tokenIssuer: EMBEDDED,
    });
  });

  it('finds the issuer in a claim when the mapping has several', async () => {
    const user = { issuer_claim: 'corporate_iss', subject_claim: 'corporate_sub' };
    const { verifier, embedded } = scene({ issuers: [ISSUER, FOREIGN], user });
    const facts = await verifier.verify(await embedded({ corporate_iss: FOREIGN }));
    expect(facts).toMatchObject({ issuer: FOREIGN, issuerId: 'foreign', subject: 'alice' });
    await expect(verifier.verify(await embedded({}))).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it('accepts a function of the claims', async () => {
    const { verifier, embedded } = scene({
      issuers: [ISSUER],
      user: ({ act }) => (typeof act === 'string' ? { issuer: ISSUER, subject: act } : undefined),
    });
    expect((await verifier.verify(await embedded({ act: 'bob' }))).subject).toBe('bob');
    await expect(verifier.verify(await embedded({}))).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it('gives the roles of the issuer of the token, not those of the mapped issuer', async () => {
    const { verifier, embedded } = scene();
    expect((await verifier.verify(await embedded({ roles: ['admin'] }))).roles.has('admin')).toBe(false);
  });

  it.each<[string, Claims]>([
    ['without the claim', { corporate_sub: undefined }],
    ['with an empty subject', { corporate_sub: '' }],
    ['with a list for a subject', { corporate_sub: ['alice'] }],
    ['with control characters in the subject', { corporate_sub: 'alice\u0000' }],
  ])('refuses a token %s', async (_, claims) => {
    const { verifier, embedded } = scene();
    await expect(verifier.verify(await embedded(claims))).rejects.toMatchObject(matchAuthError('bad_claims'));
  });

  it('refuses a user of an issuer outside the mapping', async () => {
    const user = { issuer_claim: 'corporate_iss', subject_claim: 'corporate_sub' };
    const byClaim = scene({ issuers: [ISSUER], user });
    const byFunction = scene({ issuers: [ISSUER], user: () => ({ issuer: FOREIGN, subject: 'alice' }) });
    for (const { verifier, embedded } of [byClaim, byFunction])
      await expect(verifier.verify(await embedded({ corporate_iss: FOREIGN }))).rejects.toMatchObject(
        matchAuthError('bad_claims'),
      );
  });

  it('does not let a foreign issuer name a corporate user', async () => {
    const { verifier, foreign } = scene();
    const facts = await verifier.verify(
      await foreign({ sub: 'alice', corporate_sub: 'alice', corporate_iss: ISSUER, roles: ['admin'] }),
    );
    expect([facts.issuer, facts.issuerId, facts.roles.size]).toEqual([FOREIGN, 'foreign', 1]);
    const forged = await createToken(
      { iss: EMBEDDED, aud: 'gateway', corporate_sub: 'alice' },
      { kid: 'embedded-1' },
      foreignKey,
    );
    await expect(verifier.verify(forged)).rejects.toMatchObject(matchAuthError('bad_signature'));
  });

  it('does not accept the audience of one issuer in tokens of another', async () => {
    const { verifier, embedded } = scene();
    expect((await verifier.verify(await embedded({ aud: 'gateway-2' }))).subject).toBe('alice');
    await expect(verifier.verify(await embedded({ aud: 'gatehouse' }))).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
    await expect(verifier.verify(await createToken({ aud: 'gateway' }))).rejects.toMatchObject(
      matchAuthError('wrong_audience'),
    );
  });
});
