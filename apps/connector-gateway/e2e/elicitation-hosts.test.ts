import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { inputRequired, type McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

let world: World;
let upstreams: Record<'legacy' | 'modern', McpUpstream>;
let gateway: Gateway;
let token: string;

const withUrl = z.object({ url: z.string() });

/** Tools that send the user to a page, by a question and by an error. */
function extend(server: McpServer): void {
  server.registerTool('asking', { inputSchema: withUrl }, ({ url }, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.['page'] as { action?: string } | undefined;
    return answer === undefined
      ? inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: 'Open it', url }) } })
      : { content: [{ type: 'text', text: `action=${answer.action}` }] };
  });
  server.registerTool('requiring', { inputSchema: withUrl }, ({ url }) => {
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Open it', url, elicitationId: 'e1' }]);
  });
}

beforeAll(async () => {
  world = await World.start();
  upstreams = {
    legacy: await startMcpUpstream({ extend, eras: 'legacy' }),
    modern: await startMcpUpstream({ extend, eras: 'modern' }),
  };
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const [slug, { url }] of Object.entries(upstreams))
    world.manager.toggle(alice, world.manager.addConnector({ slug, endpoint: url }, ['all']), true);
  gateway = await world.gateway();
  token = await world.token('alice');
}, 60_000);

afterAll(async () => {
  await world.close();
  for (const upstream of Object.values(upstreams)) await upstream.close();
});

beforeEach(() => allow(['login.example.com']));

async function allow(elicitation_hosts: string[]) {
  const content = { ...UNLIMITED_SETTINGS.content, elicitation_hosts };
  world.manager.settings = { ...UNLIMITED_SETTINGS, content, connectors: {} };
  world.manager.notifyChange();
  await eventually(() => world.manager.isPublishedAt(1) || undefined, 'the gateway has the settings');
}

describe.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('URL elicitation for a client of %s', (_, options) => {
  const opened: string[] = [];
  let client: Client;
  beforeAll(async () => {
    client = await world.client(`${gateway.url}/mcp`, token, {
      ...options,
      capabilities: { elicitation: { url: {} } },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      opened.push('url' in params ? params.url : '');
      return { action: 'accept' };
    });
  });
  beforeEach(() => {
    opened.length = 0;
  });
  const call = async (name: string, url: string) =>
    JSON.stringify(
      await client
        .callTool({ name, arguments: { url } })
        .catch((error: unknown) => ({ ...(error as object), message: String(error) })),
    );

  it.each(['legacy', 'modern'])('of a %s connector reaches an allowed host, in the standard form', async (slug) => {
    expect(await call(`${slug}__asking`, 'HTTPS://Login.Example.COM:443/a b')).toContain('action=accept');
    expect(opened).toEqual(['https://login.example.com/a%20b']);
  });

  it.each(['legacy', 'modern'])('of a %s connector is refused at another host, by name', async (slug) => {
    for (const url of ['https://evil.test/x', 'https://login.example.com@evil.test/']) {
      const text = await call(`${slug}__asking`, url);
      expect(text).toContain('a page at evil.test');
      expect(text).toContain('content.elicitation_hosts');
      expect(text).toContain('"isError":true');
    }
    expect(await call(`${slug}__asking`, 'javascript:alert(1)')).toContain('content.elicitation_hosts');
    expect(opened).toEqual([]);
  });

  it('in an error of a connector is refused at another host', async () => {
    expect(await call('legacy__requiring', 'https://login.example.com/')).toContain('https://login.example.com/');
    const text = await call('legacy__requiring', 'https://evil.test/');
    expect(text).toContain('a page at evil.test');
    expect(text).not.toContain('"url"');
  });

  it('reaches any host without entries', async () => {
    await allow([]);
    await call('legacy__asking', 'https://anywhere.test/');
    expect(opened).toEqual(['https://anywhere.test/']);
  });
});
