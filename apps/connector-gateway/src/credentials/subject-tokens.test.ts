import { describe, expect, it } from '@jest/globals';
import type { VerifiedToken } from '@gatehouse/auth/token-verifier';
import { Clock } from '@gatehouse/service-kit/clock';
import type { AuthorizationServer } from '../authorization-server/authorization-server.ts';
import { SubjectTokens } from './subject-tokens.ts';

const ISSUER = 'https://corporate.test';
const ALICE = { issuer: ISSUER, subject: 'alice' };
const START = 1_000_000_000;

const createVerified = (issuedAt: number, more: Partial<VerifiedToken> = {}): VerifiedToken => ({
  issuer: ISSUER,
  issuerId: 'corporate',
  subject: 'alice',
  tokenIssuer: ISSUER,
  roles: new Set(),
  claims: { iat: issuedAt },
  audiences: [],
  expiresAt: new Date(START + 60_000),
  ...more,
});

/** The memory with a clock, and a server whose grants have these corporate tokens. */
function createScene(corporate?: { accessToken: string; idToken: string }) {
  let time = START;
  const server = { findCorporateTokens: () => Promise.resolve(corporate) } as unknown as AuthorizationServer;
  const tokens = new SubjectTokens(server, Object.assign(new Clock(), { now: () => new Date(time) }));
  return { tokens, advance: (ms: number) => (time += ms) };
}

describe('SubjectTokens', () => {
  it('finds the newest token of a person, in any order of requests', async () => {
    const { tokens } = createScene();
    tokens.remember('newer', createVerified(2));
    tokens.remember('older', createVerified(1));
    expect(await tokens.find(ALICE)).toMatchObject({ accessToken: 'newer' });
    tokens.remember('newest', createVerified(3));
    expect(await tokens.find(ALICE)).toMatchObject({ accessToken: 'newest' });
  });

  it('finds nothing for another person, nor for the same subject of another issuer', async () => {
    const { tokens } = createScene();
    tokens.remember('token', createVerified(1));
    expect(await tokens.find({ ...ALICE, subject: 'bob' })).toBeUndefined();
    expect(await tokens.find({ ...ALICE, issuer: 'https://other.test' })).toBeUndefined();
  });

  it('forgets a token at its expiry, and takes an older one then', async () => {
    const { tokens, advance } = createScene();
    tokens.remember('newer', createVerified(2));
    advance(60_000);
    expect(await tokens.find(ALICE)).toBeUndefined();
    tokens.remember('older', createVerified(1, { expiresAt: new Date(START + 120_000) }));
    expect(await tokens.find(ALICE)).toMatchObject({ accessToken: 'older' });
  });

  it('replaces a token of the authorization server by the corporate tokens of its grant', async () => {
    const own = createVerified(1, {
      tokenIssuer: 'https://gateway.test',
      claims: { iat: 1, iss: 'https://gateway.test' },
    });
    const { tokens } = createScene({ accessToken: 'corporate', idToken: 'id' });
    tokens.remember('of the gateway', own);
    const claims = { ...own.claims, iss: ISSUER };
    expect(await tokens.find(ALICE)).toEqual({ accessToken: 'corporate', idToken: 'id', claims });
    const ended = createScene();
    ended.tokens.remember('of the gateway', own);
    expect(await ended.tokens.find(ALICE)).toBeUndefined();
  });
});
