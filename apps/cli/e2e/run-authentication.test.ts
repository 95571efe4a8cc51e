import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { ExchangeServer } from '@gatehouse/testing/exchange-server';
import { describeWhen } from '@gatehouse/testing/fixture';
import { imageEngine, nodeImage } from '@gatehouse/testing/images';
import { startIssuer } from '@gatehouse/testing/issuer';
import { useGatehouse } from './test-home.ts';

const CANARY = 'client-secret-canary';
const PASSWORD = { GATEHOUSE_SECRETS_PASSWORD: 'password' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** A server that answers every request with the Authorization header that it got. */
const SERVER = `require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const seen = request.headers.authorization ?? 'none';
  request.resume().on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...result, seen } })));
}).listen(process.env.MCP_PORT);`;

const readFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

async function callServer(url: string, token?: string) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(PING),
  });
  const body = (await response.json()) as { result?: { seen?: string }; error?: string };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), ...body };
}

describeWhen(await imageEngine(), 'the authentication of a workload', (engine) => {
  const gatehouse = useGatehouse(engine);
  let image: string;
  beforeAll(async () => {
    image = await nodeImage(engine);
  }, 300_000);

  it('accepts tokens of the issuer and exchanges them, also after a start, with secrets in no file', async () => {
    const issuer = await startIssuer({ audience: 'mcp' });
    const trusted = () => ({ issuer: issuer.issuer, keys: issuer.keys() });
    const client = { id: 'proxy', secret: CANARY, method: 'client_secret_basic' as const };
    const endpoint = await ExchangeServer.start({ trusted, client, audience: 'https://api.example.test' });
    const secretFile = join(gatehouse.home, '..', `${gatehouse.home.split('/').at(-1)}-secret`);
    writeFileSync(secretFile, `${CANARY}\n`, { mode: 0o600 });
    try {
      expect(await gatehouse.call(['secret', 'setup'], PASSWORD)).toMatchObject({ code: 0 });
      const flags = [
        ...['--oidc-issuer', issuer.issuer, '--oidc-audience', 'mcp', '--oidc-scopes', 'mcp:tools,profile'],
        ...['--oidc-client-id', 'proxy', '--oidc-client-secret', CANARY],
        ...['--oidc-introspection-url', `${issuer.issuer}/introspect`],
        ...['--jwks-allow-private-ip', '--oidc-insecure-allow-http'],
        ...['--token-exchange-url', `${endpoint.origin}/token`, '--token-exchange-client-id', 'proxy'],
        ...['--token-exchange-client-secret-file', secretFile, '--token-exchange-audience', 'https://api.example.test'],
      ];
      const server = ['--target-port', '8080', '--', 'node', '-e', SERVER];
      const { url } = (await gatehouse.run([image, '--name', 'one', ...flags, ...server], PASSWORD)).shown;
      const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
      expect(await callServer(url)).toMatchObject({
        status: 401,
        challenge: `Bearer realm="${issuer.issuer}", resource_metadata="${metadata}", scope="mcp:tools profile"`,
      });
      expect(await (await fetch(metadata)).json()).toMatchObject({
        resource: url,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['mcp:tools', 'profile'],
      });
      expect(await callServer(url, await issuer.token({ audience: 'other' }))).toMatchObject({ status: 401 });
      const token = await issuer.token({ subject: 'alice' });
      const { status, result } = await callServer(url, token);
      expect([status, endpoint.issued.get(result?.seen?.slice(7) ?? '')?.subject]).toEqual([200, 'alice']);

      expect(readFiles(gatehouse.home)).not.toContain(CANARY);
      const { stdout: exported } = await gatehouse.call(['export', 'one']);
      expect(JSON.parse(exported)).toMatchObject({
        oidc_config: { Issuer: issuer.issuer, ClientSecret: 'OIDC_CLIENT_SECRET_one,target=oidc' },
        token_exchange_config: { client_secret: 'TOKEN_EXCHANGE_CLIENT_SECRET_one,target=token_exchange' },
      });
      expect(await gatehouse.call(['stop', 'one'])).toMatchObject({ code: 0 });
      expect(await gatehouse.call(['start', 'one'])).toMatchObject({ code: 1 });
      expect(await gatehouse.call(['start', 'one'], PASSWORD)).toMatchObject({ code: 0 });
      expect((await callServer(url, token)).status).toBe(200);
    } finally {
      await issuer.close();
      await endpoint.close();
    }
  }, 120_000);
});
