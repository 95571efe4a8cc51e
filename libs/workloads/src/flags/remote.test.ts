import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkloadError } from '../errors/workload-error.ts';
import { parseRunFlags, type RunFlags } from './run-flags.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remote-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(flags: RunFlags, source = 'owner/server'): WorkloadError {
  try {
    parseRunFlags(source, [], flags, folder);
  } catch (error) {
    if (error instanceof WorkloadError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const ENDPOINTS = { remoteAuthAuthorizeUrl: 'https://id.example/a', remoteAuthTokenUrl: 'https://id.example/t' };
/** A token exchange, which needs an issuer. */
const EXCHANGE = { oidcIssuer: 'https://id.example', tokenExchangeUrl: 'https://id.example/token' };

describe('the flags of a remote server', () => {
  it.each([
    ['--env', { env: ['A=1'] }],
    ['--memory', { memory: '1g' }],
    ['--target-port', { targetPort: '80' }],
    ['--transport stdio', { transport: 'stdio' }],
    ['--remote-forward-headers-secret', { remoteForwardHeadersSecret: ['X A=key'] }],
    ['--remote-forward-headers-secret X', { remoteForwardHeadersSecret: ['X='] }],
    ['--remote-forward-headers-secret Host', { remoteForwardHeadersSecret: ['Host=key'] }],
    ['--remote-forward-headers-secret x', { remoteForwardHeadersSecret: ['X=key', 'x=other'] }],
    ['--remote-auth-bearer-token-file /missing', { remoteAuthBearerTokenFile: '/missing' }],
    ['--remote-auth-bearer-token', { remoteAuthBearerToken: 'a b' }],
    ['--remote-auth-bearer-token', { remoteAuthBearerToken: 'a', remoteAuthBearerTokenFile: 'b' }],
    [
      '--remote-auth-bearer-token and --remote-forward-headers both',
      { remoteAuthBearerToken: 'a', remoteForwardHeaders: ['authorization=b'] },
    ],
    ['--remote-auth-bearer-token and --token-exchange-url', { ...EXCHANGE, remoteAuthBearerToken: 'a' }],
    ['--remote-forward-headers', { remoteForwardHeaders: ['hunter2'] }],
    ['--remote-forward-headers X', { remoteForwardHeaders: ['X=hunter2\r\nY: z'] }],
    ['--remote-forward-headers Host', { remoteForwardHeaders: ['Host=hunter2'] }],
    [
      '--remote-forward-headers-secret x',
      { remoteForwardHeaders: ['X=hunter2'], remoteForwardHeadersSecret: ['x=key'] },
    ],
    ['--runtime', { runtime: 'kubernetes' }],
    ['--remote-auth-issuer', { remoteAuthIssuer: 'https://id.example' }],
    ['--remote-auth-timeout', { remoteAuthTimeout: '1m' }],
    ['--remote-auth-skip-browser', { remoteAuthSkipBrowser: true }],
    ['--resource-url', { resourceUrl: 'https://mcp.example' }],
    ['--remote-auth and a bearer token', { remoteAuth: true, remoteAuthBearerToken: 'a' }],
    [
      '--remote-auth and --remote-forward-headers-secret both',
      { remoteAuth: true, remoteForwardHeadersSecret: ['Authorization=b'] },
    ],
    ['--remote-auth and --token-exchange-url', { ...EXCHANGE, remoteAuth: true }],
    ...Object.entries({
      'issuer ftp://x': { remoteAuthIssuer: 'ftp://x' },
      'issuer http://id.example': { remoteAuthIssuer: 'http://id.example' },
      'issuer https://a:b@id.example': { remoteAuthIssuer: 'https://a:b@id.example' },
      'authorize-url': { remoteAuthIssuer: 'https://id.example', remoteAuthAuthorizeUrl: 'https://id.example/a' },
      'token-url': { remoteAuthTokenUrl: 'https://id.example/t' },
      'authorize-url needs --remote-auth-client-id': ENDPOINTS,
      'authorize-url http': { ...ENDPOINTS, remoteAuthClientId: 'c', remoteAuthAuthorizeUrl: 'http://id.example/a' },
      'token-url x': { ...ENDPOINTS, remoteAuthClientId: 'c', remoteAuthTokenUrl: 'x' },
      'client-secret': { remoteAuthClientSecret: 'hunter2' },
      'client-secret cannot': {
        ...{ remoteAuthClientId: 'c', remoteAuthClientSecret: 'hunter2', remoteAuthClientSecretFile: 'x' },
      },
      'client-secret-file /missing': { remoteAuthClientId: 'c', remoteAuthClientSecretFile: '/missing' },
      'scopes a b': { remoteAuthScopes: ['a b'] },
      'scopes openid': { ...ENDPOINTS, remoteAuthClientId: 'c', remoteAuthScopes: ['openid'] },
      'scope-param-name state': { remoteAuthScopeParamName: 'state' },
      'scope-param-name a&b': { remoteAuthScopeParamName: 'a&b' },
      'resource x': { remoteAuthResource: 'x' },
      'resource https://x/#a': { remoteAuthResource: 'https://x/#a' },
      'callback-port 80': { remoteAuthCallbackPort: '80' },
      'callback-port 1e4': { remoteAuthCallbackPort: '1e4' },
      'timeout soon': { remoteAuthTimeout: 'soon' },
      'timeout -1s': { remoteAuthTimeout: '-1s' },
    }).map(([flag, flags]) => [`--remote-auth-${flag}`, { remoteAuth: true, ...flags }]),
  ] as [string, RunFlags][])('refuses %s %j of a remote server', (flag, flags) => {
    const failure = refusal(flags, 'https://example.com/mcp');
    expect(failure.code).toBe('usage');
    expect(failure.message.startsWith(flag)).toBe(true);
    expect(failure.message).not.toContain('hunter2');
  });

  it('writes the sign-in to a remote server as exported configurations have it', () => {
    const file = join(folder, 'client-secret');
    writeFileSync(file, 'hunter2\n');
    const flags = {
      remoteAuth: true,
      ...{ remoteAuthClientId: 'c', remoteAuthClientSecretFile: file, remoteAuthScopes: ['a,b', 'c'] },
      ...{ remoteAuthSkipBrowser: true, remoteAuthTimeout: '1m30s', remoteAuthCallbackPort: '9000' },
      ...{ remoteAuthResource: 'urn://x/y', resourceUrl: 'https://mcp.example/mcp', remoteAuthScopeParamName: 'u' },
    };
    const parse = (more: RunFlags) =>
      parseRunFlags('https://example.com/mcp', [], { ...flags, ...more }, folder).remote;
    const section = {
      ...{ client_id: 'c', client_secret: 'hunter2', scopes: ['a', 'b', 'c'], skip_browser: true },
      ...{ timeout: 90_000_000_000, callback_port: 9000, use_pkce: true, resource: 'urn://x/y' },
      ...{ resource_url: 'https://mcp.example/mcp', scope_param_name: 'u' },
    };
    expect(parse({ remoteAuthIssuer: 'https://id.example' })).toEqual({
      remote_auth_config: { ...section, issuer: 'https://id.example' },
    });
    expect(parse(ENDPOINTS).remote_auth_config).toEqual({
      ...{ ...section, authorize_url: 'https://id.example/a', token_url: 'https://id.example/t' },
    });
    expect(parseRunFlags('https://example.com/mcp', [], { remoteAuth: true }, folder).remote).toEqual({
      remote_auth_config: { use_pkce: true },
    });
  });

  it('refuses credentials in a URL, and flags of remote servers for others', () => {
    expect(refusal({}, 'https://ada:hunter2@example.com/mcp').message).not.toContain('hunter2');
    expect(refusal({ remoteAuthBearerTokenFile: 'x' }).message).toContain('is for remote servers');
    for (const flags of [
      { remoteForwardHeadersSecret: ['A=b'] },
      { remoteForwardHeaders: ['A=b'] },
      { remoteAuthBearerToken: 'b' },
      { remoteAuth: true },
      { remoteAuthScopes: ['a'] },
    ])
      expect(refusal(flags).message).toContain('is for remote servers');
  });
});
