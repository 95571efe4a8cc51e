import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { randomBytes } from 'node:crypto';
import { freePorts } from '@gatehouse/testing/ports';
import { ClientMemory, decide, openConsent } from './support/mcp-sign-in.ts';
import { type Gateway, World } from './support/world.ts';

let world: World;
let upstream: McpUpstream;
let gateway: Gateway;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  const [port] = await freePorts(1);
  world.issuer.authorization.clients.push({
    clientId: 'gateway-pages',
    clientSecret: 'secret-of-the-gateway',
    redirectUris: [`http://127.0.0.1:${port}/oauth/sign-in/callback`],
  });
  gateway = await world.gateway({
    PORT: String(port),
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SIGN_IN_CLIENTS: JSON.stringify([
      { issuer: 'local', client_id: 'gateway-pages', client_secret: 'secret-of-the-gateway' },
    ]),
  });
}, 60_000);
afterAll(async () => {
  await world.close();
  await upstream.close();
});

/** Connects a stock client that signs in when the server asks for it. */
async function connect(url: string, memory = new ClientMemory()): Promise<Client> {
  const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: memory });
  const first = open();
  await expect(new Client({ name: 'stock', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  const redirect = await decide(await openConsent(memory.authorizationUrl!));
  await first.finishAuth(redirect.searchParams.get('code')!);
  const client = new Client({ name: 'stock', version: '1' });
  await client.connect(open());
  return client;
}

describe('a stock client of the gateway', () => {
  it('finds the authorization server by the address of the endpoint, signs in, and lists tools', async () => {
    const client = await connect(`${gateway.url}/mcp`);
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
  });

  it('names the own issuer before the corporate one', async () => {
    for (const path of ['/mcp', '/mcp/some-connector']) {
      const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${gateway.url}${path}`,
        authorization_servers: [gateway.url, world.issuer.issuer],
      });
    }
  });
});
