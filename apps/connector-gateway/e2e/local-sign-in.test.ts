import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePort } from '@gatehouse/testing/ports';
import { randomBytes } from 'node:crypto';
import { TestBackends } from './support/local-mode.ts';
import { modern } from './support/raw.ts';
import { type Gateway, World } from './support/world.ts';

const SECRET_VARIABLE = 'GATEHOUSE_TEST_SIGN_IN_SECRET';

let world: World;
let provider: TestIssuer;
let upstream: McpUpstream;
let gateway: Gateway;
beforeAll(async () => {
  world = await World.start();
  provider = await startIssuer();
  upstream = await startMcpUpstream();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const redirectUris = [`${publicUrl}/oauth/callback`];
  process.env[SECRET_VARIABLE] = 'secret-of-files';
  provider.authorization.clients.push({ clientId: 'own-client', clientSecret: 'secret-of-files', redirectUris });
  world.issuer.authorization.clients.push({
    clientId: 'pages',
    redirectUris: [`${publicUrl}/oauth/sign-in/callback`],
  });
  const signIn = { type: 'sign_in', issuer: provider.issuer, allow_private_ips: true };
  const backends = new TestBackends(
    { name: 'registered', url: upstream.url, auth: signIn },
    {
      name: 'configured',
      url: upstream.url,
      auth: { ...signIn, client_id: 'own-client', client_secret_env: SECRET_VARIABLE, scopes: ['files'] },
    },
  );
  gateway = await world.gateway(
    backends.settings({
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
      SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'local', client_id: 'pages' }]),
    }),
  );
}, 60_000);
afterAll(async () => {
  await world.close();
  await provider.close();
  await upstream.close();
});

describe('a backend with a sign-in of each user', () => {
  it.each(['registered', 'configured'])('that is %s gets the token of the user who opened the link', async (name) => {
    const token = await world.token('alice');
    const call = async () => {
      const params = { name: upstream.tools.echo, arguments: { text: 'hello' } };
      return JSON.stringify((await modern(`${gateway.url}/mcp/${name}`, token, 'tools/call', params)).json);
    };
    const link = /http:[^ "]+\/oauth\/connect\/[^ "]+/.exec(await call())?.[0] ?? '';
    const browser = new Browser();
    const page = await browser.open(link);
    const end = await browser.submit(page.url, { csrf: hiddenField(page.html, 'csrf'), decision: 'connect' });
    expect([end.status, end.html.includes(`${name} is connected`)]).toEqual([200, true]);
    expect(await call()).toContain('hello');
    const sent = String(upstream.calls('tools/call').at(-1)?.headers['authorization']).replace('Bearer ', '');
    expect(provider.authorization.findGrant(sent)).toMatchObject({ subject: 'alice' });
    const api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
    const path = { connector_id: name };
    const one = '/v1/users/me/gateway/connectors/{connector_id}';
    expect((await api.call(`GET ${one}/status`, { token, path })).body).toMatchObject({
      connection_status: 'connected',
    });
    expect((await api.call(`DELETE ${one}/connect`, { token, path })).status).toBe(204);
    expect((await api.call(`GET ${one}/status`, { token, path })).body).toMatchObject({
      connection_status: 'needs_auth',
    });
  });
});
