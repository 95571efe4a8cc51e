import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import type { RemoteSession } from './remote-session.ts';
import { RemoteTokens } from './remote-tokens.ts';

const NOW = Date.now();

describe('RemoteTokens', () => {
  let issuer: TestIssuer;
  let saved: RemoteSession[];
  let reports: (string | undefined)[];
  let now: number;
  let session: RemoteSession;
  beforeEach(async () => {
    issuer = await startIssuer();
    [saved, reports, now] = [[], [], NOW];
    session = { ...(await grantSession(issuer)), access_token: 'first', expires_at: NOW + 300_000 };
  });
  afterEach(() => issuer.close());
  const open = (of: RemoteSession = session) => {
    const tokens = new RemoteTokens(of, {
      ...{ name: 'far', clientSecret: undefined, certificates: undefined, now: () => now, log: () => undefined },
      save: (changed) => Promise.resolve(void saved.push(changed)),
    });
    tokens.onChange = (reason) => reports.push(reason);
    return tokens;
  };
  const countRefreshes = () =>
    issuer.authorization.requests.filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token').length;

  it('returns the token at once while it is fresh', () => {
    expect(open().get()).toBe('first');
  });

  it('refreshes once for all callers before the expiry, and stores the rotated token first', async () => {
    const tokens = open();
    now = NOW + 290_000;
    const all = await Promise.all([tokens.get(), tokens.get(), tokens.get()]);
    expect([new Set(all).size, countRefreshes()]).toEqual([1, 1]);
    expect(saved.map(({ access_token }) => access_token)).toEqual(['first', all[0]]);
    expect(saved[0]?.refresh_token).not.toBe(session.refresh_token);
    expect(tokens.get()).toBe(all[0]);
  });

  it('replaces a token that the server refuses, and keeps a newer one', async () => {
    const tokens = open();
    tokens.reject('another');
    expect(tokens.get()).toBe('first');
    tokens.reject('first');
    const next = await tokens.get();
    tokens.reject('first');
    expect([tokens.get(), countRefreshes()]).toEqual([next, 1]);
  });

  it('stores the scopes of refused requests, beside a refresh, and reports them', async () => {
    const tokens = open({ ...session, scopes: ['read'], asked_scopes: ['read', 'admin'] });
    const missing: string[] = [];
    tokens.onMissingScopes = (scopes) => missing.push(scopes.join(' '));
    const challenge = (scopes: string) => `Bearer error="insufficient_scope", scope="${scopes}"`;
    expect(await tokens.requireScopes(challenge('read write'))).toBe(
      'The MCP server needs the scope write for this request. Sign in again with: gatehouse start far',
    );
    now = NOW + 290_000;
    await Promise.all([tokens.get(), tokens.requireScopes(challenge('list share'))]);
    expect(saved.at(-1)).toMatchObject({ scopes: ['read'], required_scopes: ['write', 'list', 'share'] });
    expect(saved.at(-1)?.access_token).toBe(await tokens.get());
    expect(missing).toEqual(['write', 'write list share']);
  });

  it.each([
    'Bearer error="insufficient_scope", scope="admin"',
    'Bearer error="insufficient_scope"',
    `Bearer error="insufficient_scope", scope="${'x'.repeat(3_000)}"`,
    'Basic realm="x"',
    '',
  ])('asks for no other sign-in after the challenge %.60s', async (challenge) => {
    const message = await open({ ...session, scopes: ['read'], asked_scopes: ['admin'] }).requireScopes(challenge);
    expect(message).toMatch(/^The MCP server refuses this request for its scopes.* does not change\.$/);
    expect(saved).toEqual([]);
  });

  it('uses a token to its end while the issuer does not answer, and asks again only after a pause', async () => {
    const tokens = open();
    issuer.authorization.rotates = false;
    issuer.authorization.answerToken = () => ({ status: 503, type: 'text/plain', body: 'down' });
    now = NOW + 290_000;
    expect(await tokens.get()).toBe('first');
    now = NOW + 292_000;
    expect(await tokens.get()).toBe('first');
    expect(countRefreshes()).toBe(1);
    now = NOW + 301_000;
    await expect(tokens.get()).rejects.toThrow('gives no token');
    issuer.authorization.answerToken = () => undefined;
    now = NOW + 310_000;
    expect(await tokens.get()).not.toBe('first');
    expect(reports).toEqual([expect.stringContaining('gives no token'), undefined]);
  });

  it.each([
    ['no JSON', 200, 'text/html', '<html>'],
    ['no token', 200, 'application/json', '{}'],
    ['a token of another type', 200, 'application/json', '{"access_token":"x","token_type":"mac"}'],
    ['a token with a line break', 200, 'application/json', '{"access_token":"x\\ny","token_type":"Bearer"}'],
    ['a redirect', 302, 'text/plain', ''],
  ])('survives %s as answer of the token endpoint', async (_, status, type, body) => {
    const tokens = open();
    issuer.authorization.answerToken = () => ({ status, type, body });
    tokens.reject('first');
    await expect(tokens.get()).rejects.toMatchObject({ code: 'oauth_provider_unavailable' });
    issuer.authorization.answerToken = () => undefined;
    now += 6_000;
    const open2 = open({ ...session, refresh_token: (await grantSession(issuer)).refresh_token });
    open2.reject('first');
    expect(typeof (await open2.get())).toBe('string');
  });

  it('ends with a refusal, and asks no more', async () => {
    const tokens = open();
    issuer.authorization.revokeAll();
    tokens.reject('first');
    await expect(tokens.get()).rejects.toMatchObject({ code: 'remote_session_ended', error: 'invalid_grant' });
    now += 3_600_000;
    await expect(tokens.get()).rejects.toMatchObject({ code: 'remote_session_ended' });
    expect([countRefreshes(), reports.length]).toEqual([1, 1]);
  });

  it('goes on in memory when the session cannot be stored', async () => {
    const tokens = new RemoteTokens(session, {
      ...{ name: 'far', clientSecret: undefined, certificates: undefined, log: (line) => reports.push(line) },
      save: () => Promise.reject(new Error('disk full')),
    });
    tokens.reject('first');
    const token = await tokens.get();
    expect(tokens.get()).toBe(token);
    expect(reports[0]).toContain('disk full');
  });

  it('never calls a private address for a session of a public server', async () => {
    const tokens = open({ ...session, allows_private: false });
    tokens.reject('first');
    await expect(tokens.get()).rejects.toThrow('gives no token');
    expect(countRefreshes()).toBe(0);
  });
});

/** Obtains a refresh token by a sign-in at the issuer. */
async function grantSession({ issuer, authorization }: TestIssuer): Promise<RemoteSession> {
  const { createHash } = await import('node:crypto');
  const redirectUri = 'http://localhost/callback';
  authorization.clients.push({ clientId: 'c', redirectUris: [redirectUri] });
  const verifier = 'v'.repeat(43);
  const query = new URLSearchParams({
    ...{ client_id: 'c', redirect_uri: redirectUri, response_type: 'code', state: 's', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const answer = await fetch(`${issuer}/authorize?${query.toString()}`, { redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'c', redirect_uri: redirectUri, code };
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, code_verifier: verifier }),
  });
  const { refresh_token } = (await response.json()) as { refresh_token: string };
  return {
    binding: 'b',
    issuer,
    token_endpoint: `${issuer}/token`,
    client_id: 'c',
    allows_private: true,
    refresh_token,
  };
}
