import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { beginAuthorization, redeemCode } from './authorization.ts';
import { InvalidProviderError, ProviderRefusalError, ProviderUnavailableError } from './errors.ts';
import { exchangeToken, redeemAssertion, TokenType } from './exchange.ts';
import { type FixedServer, HTTP, startServer } from './http-server.fixture.ts';
import { createProvider, type Provider, type ProviderClient, type ProviderMetadata } from './provider.ts';
import { refreshTokens, revokeToken } from './tokens.ts';

const NOW = 1_000_000;
const REDIRECT = 'https://gateway.example/oauth/callback';

let server: FixedServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.responses.clear();
  server.requests.length = 0;
});
afterAll(() => server.close());

const createTestProvider = (
  more: Partial<ProviderMetadata> = {},
  client: ProviderClient = { clientId: 'c' },
): Provider =>
  createProvider(
    {
      issuer: server.origin,
      authorization_endpoint: `${server.origin}/authorize`,
      token_endpoint: `${server.origin}/token`,
      ...more,
    },
    client,
    HTTP,
  );
const answer = (body: unknown, status = 200) => server.responses.set('/token', { status, body });
const token = { access_token: 'a', token_type: 'Bearer', expires_in: 60 };
const getForm = () => Object.fromEntries(server.requests.at(-1)!.form);

describe('the authorization code flow', () => {
  const begin = (provider = createTestProvider(), scope = 'read') =>
    beginAuthorization(provider, { redirectUri: REDIRECT, scope, resource: 'https://api.example/' });

  it('sends PKCE, state and resource, and redeems the code with them', async () => {
    const provider = createTestProvider();
    const { url, pending } = await begin(provider);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'c',
      redirect_uri: REDIRECT,
      scope: 'read',
      resource: 'https://api.example/',
      code_challenge_method: 'S256',
      state: pending.state,
    });
    answer(token);
    const tokens = await redeemCode(provider, new URLSearchParams({ code: 'x', state: pending.state }), pending, NOW);
    expect(tokens).toEqual({ accessToken: 'a', expiresAt: NOW + 60_000 });
    expect(getForm()).toMatchObject({
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: REDIRECT,
      code_verifier: pending.codeVerifier,
      resource: 'https://api.example/',
    });
  });

  it('survives storage as JSON', async () => {
    const { pending } = await begin();
    const restored = JSON.parse(JSON.stringify(pending)) as typeof pending;
    answer(token);
    await redeemCode(createTestProvider(), new URLSearchParams({ code: 'x', state: pending.state }), restored, NOW);
    expect(getForm()['code_verifier']).toBe(pending.codeVerifier);
  });

  it('refuses a server that lists its PKCE methods without S256', async () => {
    await expect(begin(createTestProvider({ code_challenge_methods_supported: ['plain'] }))).rejects.toThrow('S256');
  });

  it.each([
    ['another state', { code: 'x', state: 'other' }],
    ['no state', { code: 'x' }],
    ['the issuer of another server', { code: 'x', iss: 'https://evil.example' }],
    ['an error with the issuer of another server', { error: '<b>text</b>', iss: 'https://evil.example' }],
    ['no code', {}],
  ])('sends no request for a response with %s', async (_, response: Record<string, string>) => {
    const { pending } = await begin();
    const query = new URLSearchParams({ state: pending.state, ...response });
    if (response['code'] !== undefined && response['state'] === undefined && response['iss'] === undefined)
      query.delete('state');
    const failure = redeemCode(createTestProvider(), query, pending, NOW);
    await expect(failure).rejects.toThrow(InvalidProviderError);
    await expect(failure).rejects.not.toThrow(/<b>/);
    expect(server.requests).toEqual([]);
  });

  it('demands the issuer of a server that promises it (RFC 9207)', async () => {
    const provider = createTestProvider({ authorization_response_iss_parameter_supported: true });
    const { pending } = await begin(provider);
    const response = { code: 'x', state: pending.state };
    await expect(redeemCode(provider, new URLSearchParams(response), pending, NOW)).rejects.toThrow(
      InvalidProviderError,
    );
    answer(token);
    const complete = new URLSearchParams({ ...response, iss: server.origin });
    await expect(redeemCode(provider, complete, pending, NOW)).resolves.toMatchObject({ accessToken: 'a' });
  });

  it('reports the refusal of the user', async () => {
    const { pending } = await begin();
    const response = new URLSearchParams({ error: 'access_denied', state: pending.state });
    await expect(redeemCode(createTestProvider(), response, pending, NOW)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('demands an ID token when it requests one', async () => {
    const { pending } = await begin(createTestProvider(), 'openid');
    answer(token);
    const response = new URLSearchParams({ code: 'x', state: pending.state });
    await expect(redeemCode(createTestProvider(), response, pending, NOW)).rejects.toThrow(InvalidProviderError);
  });
});

describe('refreshTokens', () => {
  const refresh = (saved: string[] = []) =>
    refreshTokens(createTestProvider(), 'old', {
      now: NOW,
      saveRotated: (refreshToken) => Promise.resolve(void saved.push(refreshToken)),
    });

  it('keeps the refresh token when the server issues no new one', async () => {
    answer(token);
    expect(await refresh()).toEqual({ accessToken: 'a', expiresAt: NOW + 60_000, refreshToken: 'old' });
  });

  it.each([
    ['is complete', {}],
    ['has an ID token that is none', { id_token: 'garbage' }],
    ['has another type', { token_type: 'mac' }],
    ['is bound to a key', { token_type: 'DPoP' }],
    ['has no access token', { access_token: undefined }],
    ['has a negative lifetime', { expires_in: -1 }],
  ])('saves a rotated token before the response is checked, which %s', async (_, more) => {
    const saved: string[] = [];
    answer({ ...token, refresh_token: 'new', ...more });
    const outcome = refresh(saved);
    if (Object.keys(more).length > 0) await expect(outcome).rejects.toThrow(InvalidProviderError);
    else expect((await outcome).refreshToken).toBe('new');
    expect(saved).toEqual(['new']);
  });

  it('does not return tokens that could not be saved', async () => {
    answer({ ...token, refresh_token: 'new' });
    const failure = refreshTokens(createTestProvider(), 'old', {
      now: NOW,
      saveRotated: () => Promise.reject(new ProviderUnavailableError('the database is down')),
    });
    await expect(failure).rejects.toThrow('the database is down');
  });

  it.each([
    [{ ...token, token_type: 'mac' }, 200, InvalidProviderError],
    [{ ...token, access_token: '' }, 200, InvalidProviderError],
    [{ ...token, refresh_token: 7 }, 200, InvalidProviderError],
    [{ ...token, scope: ['a'] }, 200, InvalidProviderError],
    ['<html>', 200, InvalidProviderError],
    [[], 200, InvalidProviderError],
    [{ error: 'invalid_grant' }, 400, ProviderRefusalError],
    [{ error: 'invalid_client' }, 401, ProviderRefusalError],
    [{ error: 'temporarily_unavailable' }, 400, ProviderUnavailableError],
    [{ error: 'server_error' }, 500, ProviderUnavailableError],
    ['down', 503, ProviderUnavailableError],
    ['slower', 429, ProviderUnavailableError],
  ])('classifies the response %j with HTTP %i', async (body, status, kind) => {
    answer(body, status);
    await expect(refresh()).rejects.toThrow(kind);
  });

  it('never repeats a request in its message', async () => {
    for (const body of ['down', { error: 'server_error' }, { ...token, token_type: 'mac' }]) {
      answer(body, 500);
      await expect(refreshTokens(createTestProvider(), 'the-secret-token', { now: NOW })).rejects.not.toThrow(/secret/);
    }
  });

  it.each([
    [undefined, `Basic ${Buffer.from('c:s').toString('base64')}`, undefined],
    ['client_secret_post' as const, undefined, 's'],
  ])('sends the secret by the method %j', async (authMethod, header, secret) => {
    answer(token);
    await refreshTokens(createTestProvider({}, { clientId: 'c', clientSecret: 's', authMethod }), 'old', { now: NOW });
    expect([server.requests[0]!.headers.authorization, getForm()['client_secret']]).toEqual([header, secret]);
  });
});

describe('revokeToken', () => {
  it('revokes where the server can', async () => {
    server.responses.set('/revoke', { body: '' });
    const provider = createTestProvider({ revocation_endpoint: `${server.origin}/revoke` });
    expect(await revokeToken(provider, 'r', 'refresh_token')).toBe(true);
    expect(getForm()).toMatchObject({ token: 'r', token_type_hint: 'refresh_token' });
    expect(await revokeToken(createTestProvider(), 'r', 'refresh_token')).toBe(false);
  });
});

describe('exchangeToken', () => {
  it('sends the parameters of RFC 8693', async () => {
    answer({ ...token, issued_token_type: TokenType.accessToken });
    const request = { subjectToken: 's', subjectTokenType: TokenType.jwt, audience: 'api', scope: 'read', now: NOW };
    expect(await exchangeToken(createTestProvider(), request)).toEqual({ accessToken: 'a', expiresAt: NOW + 60_000 });
    expect(getForm()).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 's',
      subject_token_type: TokenType.jwt,
      audience: 'api',
      scope: 'read',
      client_id: 'c',
    });
  });

  it('accepts a token that is no access token', async () => {
    answer({ access_token: 'assertion', token_type: 'N_A', issued_token_type: TokenType.identityAssertion });
    const request = {
      subjectToken: 's',
      subjectTokenType: TokenType.idToken,
      requestedTokenType: TokenType.identityAssertion,
      now: NOW,
    };
    expect((await exchangeToken(createTestProvider(), request)).accessToken).toBe('assertion');
  });

  it.each([
    [
      'an access token in place of an assertion',
      TokenType.identityAssertion,
      { issued_token_type: TokenType.accessToken },
    ],
    ['a token of no type in place of an assertion', TokenType.identityAssertion, {}],
    ['a token for other use in place of an access token', undefined, { token_type: 'N_A' }],
    ['a sender-constrained token', undefined, { token_type: 'DPoP' }],
  ])('refuses %s', async (_, requestedTokenType, members) => {
    answer({ ...token, ...members });
    const request = { subjectToken: 's', subjectTokenType: TokenType.jwt, requestedTokenType, now: NOW };
    await expect(exchangeToken(createTestProvider(), request)).rejects.toMatchObject({
      code: 'oauth_provider_invalid',
    });
  });

  it('names no client where the server needs none', async () => {
    answer(token);
    const { metadata, http } = createTestProvider();
    const provider = createProvider(metadata, { clientId: 'unused', authMethod: 'omitted' }, http);
    await exchangeToken(provider, { subjectToken: 's', subjectTokenType: TokenType.jwt, now: NOW });
    expect(getForm()).not.toHaveProperty('client_id');
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('names the reason of a refusal', async () => {
    answer({ error: 'consent_required' }, 400);
    const request = { subjectToken: 's', subjectTokenType: TokenType.jwt, now: NOW };
    await expect(exchangeToken(createTestProvider(), request)).rejects.toMatchObject({ error: 'consent_required' });
  });
});

describe('redeemAssertion', () => {
  it('sends the assertion as a grant (RFC 7523)', async () => {
    answer(token);
    await redeemAssertion(createTestProvider(), 'assertion', { requested_token_use: 'on_behalf_of' }, NOW);
    expect(getForm()).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'assertion',
      requested_token_use: 'on_behalf_of',
    });
  });
});
