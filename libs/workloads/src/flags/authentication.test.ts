import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AuthenticationFlags, parseAuthenticationFlags } from './authentication.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authentication-'));
writeFileSync(join(folder, 'token'), ' secret \n');
writeFileSync(join(folder, 'empty'), '\n');

const ISSUER = 'https://id.example.com';
const parse = (flags: AuthenticationFlags, speaksStdio = false) =>
  parseAuthenticationFlags(flags, { folder, caBundle: undefined, speaksStdio });

describe('The flags of authentication', () => {
  it('turn nothing on when none is given', () => {
    expect(parse({ oidcInsecureAllowHttp: false, oidcScopes: [] })).toEqual({ sections: {}, warnings: [] });
  });

  it('become the sections of an exported configuration', () => {
    const exchange = { tokenExchangeUrl: `${ISSUER}/token`, tokenExchangeClientId: 'c' };
    const { sections, warnings } = parse({
      ...{ oidcIssuer: ISSUER, oidcAudience: 'mcp', oidcScopes: ['a,b', 'a'], jwksAuthTokenFile: 'token' },
      ...{ oidcJwksUrl: 'https://10.0.0.1/jwks', jwksAllowPrivateIp: true, resourceUrl: 'https://mcp.example.com/mcp' },
      ...{ ...exchange, tokenExchangeClientSecretFile: 'token', tokenExchangeScopes: ['x'] },
      ...{
        tokenExchangeSubjectTokenType: 'id_token',
        tokenExchangeHeaderName: 'X-Token',
        tokenExchangeAudience: 'api',
      },
    });
    expect(sections).toEqual({
      oidc_config: {
        Issuer: ISSUER,
        Audience: 'mcp',
        JWKSURL: 'https://10.0.0.1/jwks',
        ResourceURL: 'https://mcp.example.com/mcp',
        Scopes: ['a', 'b'],
        AllowPrivateIP: true,
        AuthTokenFile: join(folder, 'token'),
      },
      token_exchange_config: {
        token_url: `${ISSUER}/token`,
        client_id: 'c',
        client_secret: 'secret',
        audience: 'api',
        scopes: ['x'],
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        header_strategy: 'custom',
        external_token_header_name: 'X-Token',
      },
      jwks_auth_token_file: join(folder, 'token'),
    });
    expect(warnings).toEqual([]);
  });

  it('warn of tokens for other services, and of a secret without a use', () => {
    expect(parse({ oidcIssuer: ISSUER, oidcClientId: 'c', oidcClientSecret: 's' }).warnings).toEqual([
      expect.stringContaining('without --oidc-audience'),
      expect.stringContaining('--oidc-client-secret has no effect'),
    ]);
  });

  it('leave the resource URL to the sign-in to a remote server', () => {
    const flags = { oidcIssuer: ISSUER, resourceUrl: 'https://mcp.example.com/mcp' };
    expect(parse(flags).sections.oidc_config).toHaveProperty('ResourceURL');
    expect(parse({ ...flags, remoteAuth: true }).sections.oidc_config).not.toHaveProperty('ResourceURL');
  });

  it('take the keys of this machine on http, when private addresses are allowed', () => {
    const oidcJwksUrl = 'http://localhost:9000/jwks';
    expect(parse({ oidcJwksUrl, jwksAllowPrivateIp: true }).sections.oidc_config).toMatchObject({
      JWKSURL: oidcJwksUrl,
    });
  });

  const issuer = { oidcIssuer: ISSUER };
  const exchange = { ...issuer, tokenExchangeUrl: `${ISSUER}/token` };
  it.each<[string, AuthenticationFlags, string]>([
    ['--oidc-audience', { oidcAudience: 'mcp' }, 'has no effect without --oidc-issuer'],
    ['--oidc-scopes', { oidcScopes: ['a'] }, 'has no effect without --oidc-issuer'],
    ['--jwks-allow-private-ip', { jwksAllowPrivateIp: true }, 'has no effect without --oidc-issuer'],
    ['--resource-url', { resourceUrl: 'https://a.example' }, 'has no effect without --oidc-issuer'],
    ['--token-exchange-url', { tokenExchangeUrl: 'https://a.example' }, 'has no effect without --oidc-issuer'],
    ['--oidc-issuer', { oidcIssuer: 'id.example.com' }, 'is not a URL'],
    ['--oidc-issuer', { oidcIssuer: 'https://user:pw@id.example.com' }, 'is not a URL'],
    ['--oidc-issuer', { oidcIssuer: 'http://id.example.com' }, 'must begin with https://'],
    ['--oidc-issuer', { oidcIssuer: 'http://localhost:1', jwksAllowPrivateIp: true }, 'must begin with https://'],
    ['--oidc-issuer', { oidcIssuer: 'https://localhost' }, 'is a private address'],
    ['--oidc-jwks-url', { oidcJwksUrl: 'https://10.0.0.1/k' }, 'is a private address'],
    ['--oidc-jwks-url', { oidcJwksUrl: 'https://169.254.169.254/k', jwksAllowPrivateIp: true }, 'is never called'],
    ['--oidc-introspection-url', { ...issuer, oidcIntrospectionUrl: 'ftp://a' }, 'is not a URL'],
    [
      '--oidc-introspection-url',
      { ...issuer, oidcIntrospectionUrl: 'https://oauth2.googleapis.com/tokeninfo' },
      'is not an introspection endpoint of RFC 7662',
    ],
    ['--oidc-client-secret', { ...issuer, oidcClientSecret: 's' }, 'needs --oidc-client-id'],
    ['--oidc-scopes', { ...issuer, oidcScopes: ['a b'] }, 'is not a scope'],
    ['--jwks-auth-token-file', { ...issuer, jwksAuthTokenFile: 'absent' }, 'cannot be read'],
    ['--jwks-auth-token-file', { ...issuer, jwksAuthTokenFile: 'empty' }, 'is empty'],
    ['--resource-url', { ...issuer, resourceUrl: 'https://a.example/#x' }, 'is not a URL'],
    ['--token-exchange-audience', { ...issuer, tokenExchangeAudience: 'a' }, 'has no effect without'],
    ['--token-exchange-url', { ...issuer, tokenExchangeUrl: 'http://id.example.com/t' }, 'must begin with https://'],
    [
      '--token-exchange-client-secret',
      { ...exchange, tokenExchangeClientSecret: 's' },
      'needs --token-exchange-client-id',
    ],
    [
      '--token-exchange-client-secret',
      { ...exchange, tokenExchangeClientSecret: 's', tokenExchangeClientSecretFile: 'token' },
      'cannot be given together',
    ],
    [
      '--token-exchange-client-secret-file',
      { ...exchange, tokenExchangeClientId: 'c', tokenExchangeClientSecretFile: 'empty' },
      'is empty',
    ],
    ['--token-exchange-scopes', { ...exchange, tokenExchangeScopes: [''] }, 'is not a scope'],
    [
      '--token-exchange-subject-token-type',
      { ...exchange, tokenExchangeSubjectTokenType: 'saml' },
      'is not access_token',
    ],
    ['--token-exchange-header-name', { ...exchange, tokenExchangeHeaderName: 'a b' }, 'is not the name of a header'],
    ['--token-exchange-header-name', { ...exchange, tokenExchangeHeaderName: 'Host' }, 'that the proxy itself needs'],
  ])('refuse %s %j', (flag, flags, problem) => {
    expect(() => parse(flags)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(new RegExp(`^${flag}( .*)? ${problem}`)),
      }),
    );
  });

  it('refuse an exchange for a server without headers, and do not repeat a secret', () => {
    expect(() => parse(exchange, true)).toThrow(/^--token-exchange-url is for servers on HTTP/);
    expect(() => parse({ ...issuer, oidcClientSecret: 'canary' })).toThrow(expect.not.stringContaining('canary'));
  });
});
