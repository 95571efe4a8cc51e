import { describe, expect, it } from '@jest/globals';
import type { RemoteServer, ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import { parseRunFlags, type RunFlags } from '../flags/run-flags.ts';
import { addRemoteServerFlags } from './remote-server-flags.ts';

const header = (name: string, fields: Partial<ServerVariable> = {}): ServerVariable => ({
  ...{ name, description: '', required: false, secret: false, default: undefined, choices: [] },
  ...fields,
});
const SERVER: RemoteServer = {
  ...{ kind: 'remote', name: 'com.example/far', title: undefined, description: '', version: '1', deprecated: false },
  ...{ repository: undefined, transport: 'sse', proxyPort: undefined, stateless: false, tools: [], tags: [] },
  ...{ warnings: [], url: 'https://mcp.example.com/sse' },
  headers: [
    header('Authorization', { required: true, secret: true, description: 'your token' }),
    header('X-Region', { default: 'eu' }),
    header('X-Optional'),
  ],
  oauth: {
    ...{ authorize_url: 'https://id.example.com/a', token_url: 'https://id.example.com/t', scopes: ['read'] },
    ...{ callback_port: 9000, resource: 'https://mcp.example.com/', oauth_params: { prompt: 'consent' } },
  },
};

describe('addRemoteServerFlags', () => {
  const add = async (flags: RunFlags, fields: Partial<RemoteServer> = {}) => {
    const complete = await addRemoteServerFlags('com.example/far', { ...SERVER, ...fields }, flags, undefined);
    return { complete, remote: parseRunFlags(SERVER.url, [], complete, '/').remote };
  };
  const discovered = { scopes: ['read'], callback_port: 9000, use_pkce: true, resource: 'https://mcp.example.com/' };

  it('takes the name, the transport and the headers of the entry', async () => {
    const { complete, remote } = await add({ remoteForwardHeadersSecret: ['authorization=key'] });
    expect(complete).toMatchObject({ name: 'com-example-far', transport: 'sse' });
    expect(remote).toEqual({
      header_forward: {
        add_plaintext_headers: { 'X-Region': 'eu' },
        add_headers_from_secret: { authorization: 'key' },
      },
    });
    expect((await add({ remoteForwardHeaders: ['x-region=us'], remoteAuthBearerToken: 't' })).remote).toEqual({
      header_forward: { add_plaintext_headers: { 'x-region': 'us' } },
      remote_auth_config: { bearer_token: 't' },
    });
  });

  it('names the missing headers', async () => {
    await expect(add({})).rejects.toThrow('com.example/far needs the header Authorization (your token)');
  });

  it.each<[string, RunFlags, Partial<RemoteServer>, object]>([
    ['nothing of a server without endpoints for its client', {}, {}, {}],
    [
      'the endpoints for a typed client',
      { remoteAuthClientId: 'c' },
      {},
      { client_id: 'c', authorize_url: 'https://id.example.com/a', token_url: 'https://id.example.com/t' },
    ],
    [
      'the issuer',
      {},
      { oauth: { ...SERVER.oauth, issuer: 'https://id.example.com' } },
      { issuer: 'https://id.example.com' },
    ],
    ['no server beside a typed one', { remoteAuthIssuer: 'https://my.example' }, {}, { issuer: 'https://my.example' }],
    ['no scopes beside typed ones', { remoteAuthScopes: ['mine'] }, {}, { scopes: ['mine'] }],
  ])('takes with --remote-auth the sign-in of the entry: %s', async (_, flags, fields, expected) => {
    const { remote } = await add({ remoteAuth: true, ...flags }, fields);
    expect(remote.remote_auth_config).toEqual({ ...discovered, oauth_params: { prompt: 'consent' }, ...expected });
  });
});
