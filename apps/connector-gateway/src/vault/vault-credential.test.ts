import { describe, expect, it } from '@jest/globals';
import { ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { NeedsAuthError } from '../mcp/ports/personal-credentials.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import type { ScopeOutcome } from './token-refresh.ts';
import { UnusableTokenError } from './token-rules.ts';
import { VaultCredential } from './vault-credential.ts';

const OWNER = { issuer: 'https://issuer.test', subject: 'alice', connectorId: 'c1' };

/** A vault that refreshes to the next token when its present one is refused. */
function createScene(tokens: string[], outcome: ScopeOutcome = 'sign_in') {
  const ended: string[] = [];
  const required: string[] = [];
  let refreshes = 0;
  const vault = {
    getAccessToken: ({ refused }: { refused?: string | undefined }) => {
      if (refused === tokens[0]) {
        refreshes += 1;
        tokens.shift();
      }
      const [token] = tokens;
      return token === undefined ? Promise.reject(new NeedsAuthError('revoked')) : Promise.resolve(token);
    },
    endRefused: (_: unknown, refused: string) => {
      ended.push(refused);
      return Promise.resolve();
    },
    requireScopes: (_: unknown, token: string, scopes: readonly string[]) => {
      required.push(`${token}: ${scopes.join(' ')}`);
      return Promise.resolve(outcome);
    },
  };
  const openClient = () => Promise.reject(new Error('the vault of this test needs no client'));
  const credential = new VaultCredential(vault, { owner: OWNER, upstreamOrigin: 'https://up.test', openClient });
  return { vault, credential, ended, required, countRefreshes: () => refreshes };
}

describe('VaultCredential', () => {
  it('renews once for parallel requests that were sent with the same token', async () => {
    const { credential, countRefreshes } = createScene(['first', 'second', 'third']);
    // Both requests begin before the first token is known.
    const versions = [credential.getVersion(), credential.getVersion()];
    expect(await credential.create()).toEqual({ authorization: 'Bearer first' });
    expect(await credential.renew(versions[0])).toBe(true);
    expect(await credential.create()).toEqual({ authorization: 'Bearer second' });
    expect(await credential.renew(versions[1])).toBe(true);
    expect([countRefreshes(), await credential.create()]).toEqual([1, { authorization: 'Bearer second' }]);
  });

  it('renews a later token that was refused', async () => {
    const { credential, countRefreshes } = createScene(['first', 'second', 'third']);
    await credential.create();
    await credential.renew(credential.getVersion());
    await credential.renew(credential.getVersion());
    expect([countRefreshes(), await credential.create()]).toEqual([2, { authorization: 'Bearer third' }]);
  });

  it('ends the sign-in whose renewed token was refused', async () => {
    const { credential, ended } = createScene(['first', 'second']);
    await credential.create();
    await credential.renew(credential.getVersion());
    await expect(credential.end(credential.getVersion())).rejects.toBeInstanceOf(NeedsAuthError);
    expect(ended).toEqual(['second']);
  });

  it('does not end a sign-in whose token changed during the request and was not renewed yet', async () => {
    const { credential, ended, countRefreshes } = createScene(['second', 'third']);
    await credential.create();
    // The request began with an older token than the one that it was sent with.
    const older = { token: 'first' };
    expect(await credential.renew(older)).toBe(true);
    await expect(credential.end(credential.getVersion())).rejects.not.toBeInstanceOf(NeedsAuthError);
    expect([ended, countRefreshes(), await credential.create()]).toEqual([[], 1, { authorization: 'Bearer third' }]);
  });

  it.each([
    [new ProviderUnavailableError('the provider said: s3cret'), 'does not answer'],
    [new UnusableTokenError('a token of 9 characters: s3cret'), 'cannot be sent'],
    [Object.assign(new Error('s3cret'), { code: 'ECONNREFUSED' }), 'cannot be read'],
    [new Error('s3cret'), 'cannot get a token'],
  ])('reports %p without its text and keeps it as the cause', async (cause, expected) => {
    const { vault: others } = createScene([]);
    const vault = { ...others, getAccessToken: () => Promise.reject(cause) };
    const openClient = () => Promise.reject(cause);
    const credential = new VaultCredential(vault, { owner: OWNER, upstreamOrigin: 'https://up.test', openClient });
    const error = await credential.create().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CredentialError);
    expect(error).not.toBeInstanceOf(NeedsAuthError);
    expect((error as Error).message).toContain(expected);
    expect((error as Error).message).not.toContain('s3cret');
    expect((error as Error).cause).toBe(cause);
  });
});

describe('a failure of the vault after a refusal of the upstream', () => {
  const down = () => Promise.reject(Object.assign(new Error('s3cret'), { code: 'ECONNREFUSED' }));

  it('is reported as a credential that is unavailable', async () => {
    const { vault: others } = createScene(['first', 'second']);
    const vault = { ...others, endRefused: down, requireScopes: down };
    const openClient = () => Promise.reject(new Error('the vault of this test needs no client'));
    const credential = new VaultCredential(vault, { owner: OWNER, upstreamOrigin: 'https://up.test', openClient });
    await credential.create();
    const challenge = 'Bearer error="insufficient_scope", scope="read"';
    await expect(credential.requireScopes(challenge, undefined)).rejects.toBeInstanceOf(CredentialError);
    await credential.renew(credential.getVersion());
    await expect(credential.end(credential.getVersion())).rejects.toThrow('cannot be read at the moment');
  });
});

describe('requireScopes', () => {
  const CHALLENGE = 'Bearer error="insufficient_scope", scope="read write"';

  it('needs a sign-in for the scopes of the challenge', async () => {
    const { credential, required } = createScene(['first']);
    await credential.create();
    const failure = credential.requireScopes(CHALLENGE, credential.getVersion());
    await expect(failure).rejects.toMatchObject({ code: 'needs_auth', reason: 'insufficient_scope' });
    expect(required).toEqual(['first: read write']);
  });

  it.each<[ScopeOutcome, string]>([
    ['refused', 'allowed everything'],
    ['replaced', 'try again'],
  ])('needs no sign-in when the vault answers %s', async (outcome, expected) => {
    const { credential } = createScene(['first'], outcome);
    await credential.create();
    const failure = credential.requireScopes(CHALLENGE, credential.getVersion());
    await expect(failure).rejects.toThrow(expected);
    await expect(failure).rejects.not.toBeInstanceOf(NeedsAuthError);
  });

  it('needs no sign-in for a challenge that names no scopes', async () => {
    const { credential, required } = createScene(['first']);
    await credential.create();
    for (const challenge of ['Bearer error="insufficient_scope"', 'Bearer error="insufficient_scope", scope=""'])
      await expect(credential.requireScopes(challenge, undefined)).rejects.toThrow('allowed everything');
    expect(required).toEqual([]);
  });

  it.each(['Bearer error="invalid_token", scope="read"', 'Basic realm="x"', 'Bearer', '', '%%%'])(
    'leaves the challenge %j to others',
    async (challenge) => {
      const { credential, required } = createScene(['first']);
      await credential.create();
      await credential.requireScopes(challenge, credential.getVersion());
      expect(required).toEqual([]);
    },
  );
});
