import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { Client } from '@modelcontextprotocol/client';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import type { TestConnector, TestSettings } from './support/manager.ts';
import { initialize, inSession, modern } from './support/raw.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

/** No message to a client or a connector may contain it. */
const SECRET = 'key-4711-4711';
const PATTERN = 'key-\\d{4}-\\d{4}';
const HIDDEN = '[redacted]';

let world: World;
let upstream: McpUpstream;
let connector: TestConnector;
let other: TestConnector;
let gateway: Gateway;
let token: string;

/** Tools, a prompt and a resource that tell the secret in each place of a message. */
function extend(server: McpServer): void {
  server.registerTool('everywhere', { title: SECRET, description: `Tells ${SECRET}.` }, () => ({
    content: [
      { type: 'text', text: `one ${SECRET}, two ${SECRET}` },
      { type: 'resource', resource: { uri: 'test://inside', text: SECRET, _meta: { note: SECRET } } },
      { type: 'image', mimeType: 'image/png', data: Buffer.from(SECRET).toString('base64') },
    ],
    structuredContent: { [SECRET]: 1, list: [SECRET, { deep: SECRET }], number: 4711 },
  }));
  server.registerTool('failing', {}, () => {
    throw new Error(`no ${SECRET}`);
  });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text: `${text.length}` }],
  }));
  server.registerTool('talking', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= 3; progress += 1) {
      await mcpReq.log('info', { step: progress, url: SECRET });
      if (progressToken === undefined) continue;
      const params = { progressToken, progress, message: SECRET };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  server.registerTool('large', { inputSchema: z.object({ size: z.number() }) }, ({ size }) => ({
    content: [{ type: 'text', text: `${SECRET}${'a'.repeat(size)}!` }],
  }));
  server.registerPrompt(
    'prompt',
    { description: SECRET, argsSchema: z.object({ about: z.string() }) },
    ({ about }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${about} ${SECRET}` } }],
    }),
  );
  const template = new ResourceTemplate('test://{name}', { list: undefined });
  server.registerResource('resource', template, { description: SECRET }, (uri) => ({
    contents: [{ uri: uri.href, text: `text ${SECRET}` }],
  }));
}

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream({ extend });
  connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.url }, ['all']);
  other = world.manager.addConnector({ slug: 'b', endpoint: upstream.url }, ['all']);
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const each of [connector, other]) world.manager.toggle(alice, each, true);
  gateway = await world.gateway();
  token = await world.token('alice');
}, 60_000);

afterAll(async () => {
  await world.close();
  await upstream.close();
});

beforeEach(() => control({ redaction_patterns: [PATTERN] }));

/** Replaces the content controls and waits until the gateway has them. */
async function control(content: Partial<TestSettings['content']>, connectors: TestSettings['connectors'] = {}) {
  world.manager.settings = {
    ...UNLIMITED_SETTINGS,
    content: { ...UNLIMITED_SETTINGS.content, ...content },
    connectors,
  };
  world.manager.notifyChange();
  await eventually(() => world.manager.isPublishedAt(1) || undefined, 'the gateway has the settings');
}

const call = (name: string, args: Record<string, unknown> = {}) =>
  modern(`${gateway.url}/mcp`, token, 'tools/call', { name, arguments: args });

describe.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('redaction for a client of %s', (_, options) => {
  let client: Client;
  beforeAll(async () => {
    client = await world.client(`${gateway.url}/mcp`, token, options);
  });

  it('replaces passages in all texts of a result, and keeps its form', async () => {
    const result = await client.callTool({ name: 'a__everywhere' });
    expect(result.content).toEqual([
      { type: 'text', text: `one ${HIDDEN}, two ${HIDDEN}` },
      { type: 'resource', resource: { uri: expect.any(String), text: HIDDEN, _meta: { note: HIDDEN } } },
      { type: 'image', mimeType: 'image/png', data: Buffer.from(SECRET).toString('base64') },
    ]);
    expect(result.structuredContent).toEqual({ [SECRET]: 1, list: [HIDDEN, { deep: HIDDEN }], number: 4711 });
  });

  it('replaces passages in errors, prompts and resources', async () => {
    expect(JSON.stringify(await client.callTool({ name: 'a__failing' }))).toContain(`no ${HIDDEN}`);
    const prompt = await client.getPrompt({ name: 'a__prompt', arguments: { about: SECRET } });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: `${HIDDEN} ${HIDDEN}` });
    const { json } = await modern(`${gateway.url}/mcp/a`, token, 'resources/read', { uri: 'test://x' });
    expect(json.result?.['contents']).toEqual([expect.objectContaining({ uri: 'test://x', text: `text ${HIDDEN}` })]);
  });

  it('replaces passages in the texts of lists', async () => {
    const lists = [await client.listTools(), await client.listPrompts(), await client.listResourceTemplates()];
    const text = JSON.stringify(lists);
    expect(text).toContain(`Tells ${HIDDEN}.`);
    expect(text).not.toContain(SECRET);
  });

  it('replaces passages in arguments, so that the connector does not get them', async () => {
    await client.callTool({ name: 'a__echo', arguments: { text: `a ${SECRET}` } });
    expect(upstream.calls('tools/call').at(-1)?.arguments).toEqual({ text: `a ${HIDDEN}` });
  });

  it('replaces passages in log and progress messages, in their order and before the result', async () => {
    const received: string[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      received.push(`log ${JSON.stringify(params.data)}`);
    });
    const callOptions = {
      onprogress: ({ progress, message }: { progress: number; message?: string | undefined }) =>
        received.push(`progress ${progress} ${message}`),
    };
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    if (options !== MODERN) await client.request({ method: 'logging/setLevel', params: { level: 'info' } });
    await client.callTool({ name: 'a__talking', ...(options === MODERN && { _meta: meta }) }, callOptions);
    const expected = [1, 2, 3].flatMap((at) => [
      `log ${JSON.stringify({ step: at, url: HIDDEN })}`,
      `progress ${at} ${HIDDEN}`,
    ]);
    expect(received).toEqual(expected);
  });
});

describe('redaction_patterns', () => {
  it('covers the tools that the control plane lists', async () => {
    const url = `${gateway.controlUrl}/v1/users/me/gateway/connectors/${connector.id}/tools`;
    const text = await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text();
    expect(text).toContain(`Tells ${HIDDEN}.`);
    expect(text).not.toContain(SECRET);
  });

  it('covers tools that a search finds', async () => {
    const url = `${gateway.url}/mcp?mode=search`;
    const params = { name: 'find_tool', arguments: { query: 'everywhere' } };
    const { text } = await modern(url, token, 'tools/call', params);
    expect(text).toContain(`Tells ${HIDDEN}.`);
    expect(text).not.toContain(SECRET);
  });

  it('holds for one connector alone, and adds to those of the gateway', async () => {
    await control({ redaction_patterns: ['one'] }, { [connector.id]: { content: { redaction_patterns: [PATTERN] } } });
    const [own, foreign] = [await call('a__everywhere'), await call('b__everywhere')];
    expect(own.text).toContain(`${HIDDEN} ${HIDDEN}, two ${HIDDEN}`);
    expect(foreign.text).toContain(`${HIDDEN} ${SECRET}, two ${SECRET}`);
  });

  it('acts within a second, also in an open session', async () => {
    const session = await initialize(`${gateway.url}/mcp`, token);
    const callInSession = async () =>
      (await inSession(`${gateway.url}/mcp`, token, session, 'tools/call', { name: 'a__everywhere' })).text;
    expect(await callInSession()).toContain(HIDDEN);
    await control({});
    expect(await callInSession()).toContain(`one ${SECRET}`);
    world.manager.settings = {
      ...UNLIMITED_SETTINGS,
      content: { ...UNLIMITED_SETTINGS.content, redaction_patterns: [PATTERN] },
      connectors: {},
    };
    world.manager.notifyChange();
    await eventually(
      async () => (await callInSession()).includes(`one ${HIDDEN}`) || undefined,
      'the pattern acts',
      40,
    );
  });

  it('redacts a large hostile result while other calls are answered', async () => {
    await control({
      redaction_patterns: [PATTERN, '(a+)+$', ...Array.from({ length: 62 }, (_, at) => `x{1,9}y${at}z`)],
    });
    const large = call('a__large', { size: 3 * 1024 * 1024 });
    const small = await call('a__echo', { text: 'abc' });
    expect(small.text).toContain('"3"');
    const text = (await large).text;
    expect(text).toContain(`${HIDDEN}aaa`);
    expect(text).not.toContain(SECRET);
  });

  it('answers with a tool error what cannot be searched in time', async () => {
    await control({ redaction_patterns: ['a[^b]*b|a'] });
    const { json } = await call('a__large', { size: 2 * 1024 * 1024 });
    expect(json.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('could not be searched for the redaction patterns') }],
    });
    expect((await call('a__echo', { text: 'xyz' })).text).toContain('"3"');
  }, 30_000);
});
