import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { describeWhen } from '@gatehouse/testing/fixture';
import { mcpPython } from '@gatehouse/testing/python-environment';
import { freePorts } from '@gatehouse/testing/ports';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import pg from 'pg';
import { CLIENT_REDIRECT, ClientMemory, decide, openConsent } from './support/mcp-sign-in.ts';
import { createAuthorization, redeem, refresh, registerClient, signInClient } from './support/raw-authorization.ts';
import { PythonClient } from './support/signing-clients.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: McpUpstream;
let gateway: Gateway;
let settings: Record<string, string>;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  const [port] = await freePorts(1);
  const publicUrl = `http://127.0.0.1:${port}`;
  world.issuer.authorization.clients.push({
    clientId: 'gateway-pages',
    clientSecret: 'secret-of-the-gateway',
    redirectUris: [`${publicUrl}/oauth/sign-in/callback`],
  });
  world.manager.addUser({ subject: 'bob' });
  const connector = world.manager.addConnector({ slug: 'weather', endpoint: upstream.url }, ['weather']);
  world.manager.toggle(world.manager.addUser({ subject: 'alice', groups: ['weather'] }), connector, true);
  settings = {
    PUBLIC_URL: publicUrl,
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SIGN_IN_CLIENTS: JSON.stringify([
      { issuer: 'local', client_id: 'gateway-pages', client_secret: 'secret-of-the-gateway' },
    ]),
  };
  gateway = await world.gateway({ PORT: String(port), ...settings });
}, 60_000);
afterAll(async () => {
  await world.close();
  await upstream.close();
});

/** Connects a stock client that signs in when the server asks for it. */
async function connect(url: string, subject: string): Promise<Client> {
  const memory = new ClientMemory();
  const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: memory });
  const first = open();
  await expect(new Client({ name: 'stock', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  world.issuer.authorization.user = subject;
  const redirect = await decide(await openConsent(memory.authorizationUrl!));
  await first.finishAuth(redirect.searchParams.get('code')!);
  const client = new Client({ name: 'stock', version: '1' });
  await client.connect(open());
  return client;
}

/** The status of a request to the MCP endpoint. */
async function post(path: string, token: string): Promise<number> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  });
  await response.text();
  return response.status;
}

describe('a stock client of the gateway', () => {
  it('finds the authorization server by the address of the endpoint, and its user has the own tools', async () => {
    const [alice, bob] = [await connect(`${gateway.url}/mcp`, 'alice'), await connect(`${gateway.url}/mcp`, 'bob')];
    const listed = await eventually(async () => {
      const { tools } = await alice.listTools();
      return tools.length > 0 ? tools : undefined;
    }, 'the tools are listed');
    expect(listed.every(({ name }) => name.startsWith('weather__'))).toBe(true);
    expect((await bob.listTools()).tools).toEqual([]);
    await alice.close();
    await bob.close();
  });

  it('signs in for the endpoint of one connector', async () => {
    const client = await connect(`${gateway.url}/mcp/weather`, 'alice');
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});

describeWhen(await mcpPython(), 'the Python client', (python) => {
  it('finds the authorization server by the address of the endpoint, and its user has the own tools', async () => {
    world.issuer.authorization.user = 'alice';
    const allowClient = async (url: string) => decide(await openConsent(url));
    const client = new PythonClient(python, `${gateway.url}/mcp`, { redirectUri: CLIENT_REDIRECT, allowClient });
    const names = await client.connect();
    await client.close();
    expect(names.length).toBeGreaterThan(0);
    expect(names.every((name) => name.startsWith('weather__'))).toBe(true);
  }, 60_000);
});

describe('the metadata of the MCP endpoint', () => {
  it('names the own issuer before the corporate one', async () => {
    for (const path of ['/mcp', '/mcp/some-connector']) {
      const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${gateway.url}${path}`,
        authorization_servers: [gateway.url, world.issuer.issuer],
      });
    }
  });

  it('of the control plane does not name the authorization server for MCP clients', async () => {
    const response = await fetch(`${gateway.controlUrl}/.well-known/oauth-protected-resource`);
    expect(await response.json()).toMatchObject({ authorization_servers: [world.issuer.issuer] });
  });
});

describe('a request with a rebound DNS name', () => {
  it.each(['/oauth/register', '/oauth/token', '/oauth/authorize', '/.well-known/oauth-authorization-server'])(
    'is refused at %s',
    async (path) => {
      const { port } = new URL(gateway.url);
      const status = await new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, headers: { host: `hostile.example:${port}` } };
        get(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
      });
      expect(status).toBe(403);
    },
  );
});

describe('an access token of the authorization server', () => {
  it('is accepted at its own endpoint and nowhere else', async () => {
    world.issuer.authorization.user = 'alice';
    const { accessToken } = await signInClient(gateway.url);
    const own = await signInClient(gateway.url, { resource: `${gateway.url}/mcp/weather` });
    expect(await post('/mcp', accessToken)).toBe(200);
    expect(await post('/mcp/weather', accessToken)).toBe(401);
    expect(await post('/mcp', own.accessToken)).toBe(401);
    expect(await post('/mcp/weather', own.accessToken)).toBe(200);
    const control = await fetch(`${gateway.controlUrl}/v1/users/me/gateway/connectors`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(control.status).toBe(401);
  });

  it('has an audit event of its grant', async () => {
    const { clientId } = await signInClient(gateway.url);
    const events = await world.sql<{ subject: string; object_kind: string }>(
      `SELECT subject, object_kind FROM audit_events WHERE object_id = '${clientId}' ORDER BY occurred_at DESC LIMIT 1`,
    );
    expect(events).toEqual([{ subject: 'alice', object_kind: 'oauth_client' }]);
  });

  it('is refused when it is altered or not an access token', async () => {
    const { accessToken } = await signInClient(gateway.url);
    const [header = '', payload = '', signature = ''] = accessToken.split('.');
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'root' }),
    );
    expect(await post('/mcp', [header, forged.toString('base64url'), signature].join('.'))).toBe(401);
    const clientId = await registerClient(gateway.url);
    const { url, verifier } = createAuthorization(gateway.url, clientId, { scope: 'openid mcp' });
    const code = (await decide(await openConsent(url))).searchParams.get('code') ?? '';
    const { body } = await redeem(gateway.url, { clientId, code, verifier });
    expect(body['id_token']).toBeDefined();
    expect(await post('/mcp', body['id_token'] ?? '')).toBe(401);
  });

  it('does not replace a corporate token: that is accepted too', async () => {
    expect(await post('/mcp', await world.token('alice'))).toBe(200);
  });
});

describe('the end of a grant', () => {
  it('acts on access tokens and open streams at every replica within a second', async () => {
    const other = await world.startApart(settings);
    const urls = [gateway.url, other.url];
    const { clientId, accessToken, refreshToken } = await signInClient(gateway.url);
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const begun = await fetch(`${other.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    });
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();
    const stream = await fetch(`${other.url}/mcp`, {
      headers: { ...headers, ...session, accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    });
    expect(stream.status).toBe(200);
    // A request without a session is 400 for a valid token.
    const getStatus = async (url: string) => (await fetch(`${url}/mcp`, { method: 'DELETE', headers })).status;
    expect(await Promise.all(urls.map(getStatus))).toEqual([400, 400]);
    const body = new URLSearchParams({ client_id: clientId, token: refreshToken });
    await fetch(`${gateway.url}/oauth/revoke`, { method: 'POST', body });
    for (const url of urls)
      await eventually(async () => (await getStatus(url)) === 401 || undefined, `${url} refuses the token`, 80);
    await stream.text();
  }, 60_000);
});

describe('a replica that is killed', () => {
  it('between the use of a refresh token and the new one leaves the old one valid', async () => {
    const { clientId, refreshToken } = await signInClient(gateway.url);
    const killed = await world.startApart(settings);
    // The refresh extends the life of its client, and waits there for this lock.
    const blocker = new pg.Client({ connectionString: world.database.url });
    await blocker.connect();
    await blocker.query(`UPDATE oidc_payloads SET expires_at = now() + interval '30 days' WHERE model = 'Client'`);
    await blocker.query('BEGIN');
    await blocker.query(`SELECT id FROM oidc_payloads WHERE model = 'Client' FOR UPDATE`);
    const answer = refresh(killed.url, clientId, refreshToken).catch(() => undefined);
    await eventually(async () => {
      const waiting = await world.sql(
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return waiting.length > 0 ? true : undefined;
    }, 'the refresh waits in its transaction');
    await killed.process.killHard();
    expect(await answer).toBeUndefined();
    await blocker.query('ROLLBACK');
    await blocker.end();
    const { status, body } = await refresh(gateway.url, clientId, refreshToken);
    expect(status).toBe(200);
    expect((await refresh(gateway.url, clientId, body['refresh_token'] ?? '')).status).toBe(200);
  }, 60_000);

  it('during a sign-in leaves it to the other replicas', async () => {
    const killed = await world.startApart(settings);
    const clientId = await registerClient(gateway.url);
    const { url, verifier } = createAuthorization(killed.url, clientId);
    const opened = await openConsent(url);
    // The library must not write to the log, whose lines are JSON.
    const lines = killed.process
      .stdout()
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    await killed.process.killHard();
    const page = { ...opened.page, url: opened.page.url.replace(killed.url, gateway.url) };
    const code = (await decide({ ...opened, page })).searchParams.get('code') ?? '';
    expect((await redeem(gateway.url, { clientId, code, verifier })).status).toBe(200);
  }, 60_000);
});
