import { describe, expect, it } from '@jest/globals';
import type { OutgoingRequest } from '@gatehouse/mcp/client/connection';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { NeedsAuthError } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import { CredentialCache } from './credential-cache.ts';
import { ExchangedCredential, type ExchangedCredentialParts } from './exchanged-credential.ts';
import type { SubjectToken } from './subject-tokens.ts';

const CONNECTOR: Connector = {
  id: 'c1',
  slug: 'files',
  name: 'Files',
  endpoint: 'https://mcp.example.com/mcp',
  transport: 'streamable-http',
  auth: { type: 'tokenExchange' },
  allow_private_ips: false,
};
const ALICE = { issuer: 'https://issuer.test', subject: 'alice' };
const REQUEST: OutgoingRequest = { url: new URL(CONNECTOR.endpoint), method: 'POST', headers: [], body: '' };

/** Finds the subject token of alice, or fails. */
type FindSubject = () => Promise<SubjectToken | undefined>;

/** The credential of alice, whose provider answers with the result of `obtain`. */
function createScene(find: FindSubject, obtain: () => Promise<string>) {
  const outcomes: string[] = [];
  const record = (outcome: string) => () => {
    outcomes.push(outcome);
    return Promise.resolve();
  };
  const parts: ExchangedCredentialParts<string> = {
    source: {
      obtain: async () => ({ value: await obtain(), expiresAt: undefined, skewMs: 0 }),
      createHeaders: (_, token) => ({ authorization: `Bearer ${token}` }),
    },
    cache: new CredentialCache(() => 0),
    subjects: { find },
    outcomes: { recordFailure: record('failed'), recordRefusal: record('refused'), recordSuccess: record('succeeded') },
  };
  return { credential: new ExchangedCredential(CONNECTOR, ALICE, parts), outcomes };
}

const subject = { accessToken: 'corporate', claims: {} };

describe('ExchangedCredential', () => {
  it('sends the credential that the provider issued, and records the success', async () => {
    const { credential, outcomes } = createScene(
      () => Promise.resolve(subject),
      () => Promise.resolve('issued'),
    );
    expect(await credential.create(REQUEST)).toEqual({ authorization: 'Bearer issued' });
    expect(outcomes).toEqual(['succeeded']);
  });

  it.each<[string, FindSubject, string]>([
    ['without a current token of the user', () => Promise.resolve(undefined), 'sign in to this client again'],
    [
      'while the identity provider does not renew the sign-in of the user',
      () => Promise.reject(new ProviderUnavailableError('s3cret')),
      'cannot be renewed at the moment',
    ],
  ])('is unavailable %s, and asks no provider', async (_, find, expected) => {
    const { credential, outcomes } = createScene(find, () => Promise.reject(new Error('not asked')));
    const error = await credential.create(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CredentialError);
    expect((error as Error).message).toContain(expected);
    expect((error as Error).message).not.toContain('s3cret');
    expect(outcomes).toEqual([]);
  });

  it('needs a sign-in after a refusal that a sign-in ends, and records it', async () => {
    const { credential, outcomes } = createScene(
      () => Promise.resolve(subject),
      () => Promise.reject(new ProviderRefusalError('consent', 'consent_required', undefined)),
    );
    await expect(credential.create(REQUEST)).rejects.toBeInstanceOf(NeedsAuthError);
    expect(outcomes).toEqual(['refused']);
  });
});
