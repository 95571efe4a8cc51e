import { AuthError, type AuthErrorCode } from '@gatehouse/auth/auth-error';
import { describe, expect, it } from '@jest/globals';
import { type IdentityParts, LivePrincipals } from './live-principals.ts';

function createPrincipals(code: AuthErrorCode, message: string): LivePrincipals {
  const verifier = {
    missing: undefined,
    recall: () => undefined,
    verify: () => Promise.reject(new AuthError(code, message)),
  };
  const parts = { verifier, resource: () => 'http://gateway', areKeysEnabled: () => true };
  return new LivePrincipals(parts as unknown as IdentityParts);
}

describe('the refusal of a credential', () => {
  it.each([
    ['malformed', 'the token is not a compact JWS'],
    ['unknown_issuer', 'the token is from an issuer that is not configured'],
    ['wrong_audience', 'the claim aud of the token is not as required'],
  ] as const)('says what is accepted, and keeps the reason for administrators: %s', async (code, reason) => {
    await expect(createPrincipals(code, reason).identify('sk-of-a-vendor')).rejects.toMatchObject({
      failure: 'unauthenticated',
      message: 'Incorrect API key provided: it is neither a virtual key nor an accepted access token.',
      reason,
    });
  });

  it('says that a token has expired', async () => {
    await expect(createPrincipals('expired', 'the token has expired').identify('a.b.c')).rejects.toMatchObject({
      message: 'Incorrect API key provided: the token has expired.',
    });
  });
});
