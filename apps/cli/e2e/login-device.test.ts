import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Gatehouse } from './gatehouse.ts';

const ME = { issuer: 'x', subject: 'alice', user_name: 'alice', active: true, groups: [], roles: ['user'] };

/**
 * One server is the manager and the provider. It refuses a device code with a wrong verifier (RFC
 * 7636, section 4.6).
 */
describe('gatehouse login --device', () => {
  const gatehouse = new Gatehouse();
  let server: Server;
  let url: string;
  /** Provider metadata besides the endpoints. */
  let metadata: object;
  let deviceRequest: URLSearchParams;
  let tokenRequest: URLSearchParams;

  const readForm = async (request: IncomingMessage) => {
    let text = '';
    for await (const part of request) text += String(part);
    return new URLSearchParams(text);
  };
  const respond = async (request: IncomingMessage): Promise<{ status?: number; body: object }> => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/.well-known/gatehouse-configuration') {
      const scopes_supported = ['openid', 'profile', 'offline_access'];
      const config = { config_endpoint: `${url}/config`, jwks_uri: `${url}/jwks` };
      return { body: { issuer: url, client_id: 'cli', scopes_supported, ...config } };
    }
    if (path === '/.well-known/openid-configuration') {
      const endpoints = { token_endpoint: `${url}/token`, device_authorization_endpoint: `${url}/device` };
      return {
        body: {
          issuer: url,
          authorization_endpoint: `${url}/auth`,
          jwks_uri: `${url}/jwks`,
          ...endpoints,
          ...metadata,
        },
      };
    }
    if (path === '/device') {
      deviceRequest = await readForm(request);
      const codes = { device_code: 'code', user_code: 'ABCD-EFGH', expires_in: 60, interval: 1 };
      return { body: { ...codes, verification_uri: `${url}/enter` } };
    }
    if (path === '/token') {
      tokenRequest = await readForm(request);
      const challenge = createHash('sha256')
        .update(tokenRequest.get('code_verifier') ?? '')
        .digest('base64url');
      const wanted = deviceRequest.get('code_challenge');
      if (wanted !== null && wanted !== challenge) return { status: 400, body: { error: 'invalid_grant' } };
      return { body: { access_token: 'access', token_type: 'bearer', expires_in: 60 } };
    }
    return path === '/v1/me' ? { body: ME } : { status: 404, body: {} };
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      void respond(request).then(({ status = 200, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    metadata = {};
    tokenRequest = new URLSearchParams();
  });
  afterAll(() => {
    server.close();
    rmSync(gatehouse.home, { recursive: true, force: true });
  });
  const login = (...flags: string[]) =>
    gatehouse.call(['login', '--device', '--url', url, ...flags], { GATEHOUSE_SESSION_STORE: 'file' });

  it('sends the challenge with the request and its verifier with the code (RFC 7636, S256)', async () => {
    expect(await login()).toMatchObject({ code: 0, stderr: expect.stringContaining('as alice') });
    expect(deviceRequest.get('code_challenge_method')).toBe('S256');
    expect(deviceRequest.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(tokenRequest.get('code_verifier')).toMatch(/^[\w-]{43,128}$/);
  });

  it('omits PKCE when the provider lists methods without S256', async () => {
    metadata = { code_challenge_methods_supported: ['plain'] };
    expect((await login()).code).toBe(0);
    expect([deviceRequest.has('code_challenge'), tokenRequest.has('code_verifier')]).toEqual([false, false]);
  });

  it.each([
    ['without a list of scopes', {}, [], 'openid profile'],
    ['without it in the list', { scopes_supported: ['openid', 'email'] }, [], 'openid profile'],
    ['with it in the list', { scopes_supported: ['openid', 'offline_access'] }, [], 'openid profile offline_access'],
    ['without it, by --offline-access always', {}, ['--offline-access', 'always'], 'openid profile offline_access'],
    [
      'with it, by --offline-access never',
      { scopes_supported: ['offline_access'] },
      ['--offline-access', 'never'],
      'openid profile',
    ],
  ])('requests the right scopes from a provider %s', async (_what, given, flags, scope) => {
    metadata = given;
    expect((await login(...flags)).code).toBe(0);
    expect(deviceRequest.get('scope')).toBe(scope);
  });

  it('refuses another value of --offline-access', async () => {
    expect(await login('--offline-access', 'maybe')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--offline-access'),
    });
  });
});
