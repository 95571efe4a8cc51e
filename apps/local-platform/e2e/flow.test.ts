import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type ClientOptions, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, generatedServerImage, imageEngine } from '@gatehouse/testing/images';
import { newHome, type RunningPlatform, startPlatform, until } from './platform.ts';

/** An MCP server under test: its image, its arguments, and one tool that repeats a word. */
interface TestServer {
  image: string;
  transport: 'stdio' | 'streamable-http';
  args: string[];
  tool: string;
  arguments: (word: string) => Record<string, string>;
  expectedText: (word: string) => string;
}

/** A record of tool-call activity. */
interface ToolCallRecord {
  call_id: string;
  tool_name: string;
  user_email: string;
  decision: string;
  outcome: string;
}

/** The fields of the enterprise manager's responses that this test reads. */
interface Body {
  id: string;
  slug: string;
  status: string;
  items: { id: string }[];
  records: ToolCallRecord[];
}

const LEGACY: ClientOptions = { versionNegotiation: { mode: 'legacy' } };
const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const bin = resolve(import.meta.dirname, '../../cli/bin/gatehouse.js');

describeWhen(await imageEngine(), 'the way of an MCP server from `run` to its recorded calls', (engine) => {
  let platform: RunningPlatform;
  const home = newHome();
  const leftovers: (() => Promise<unknown>)[] = [];

  const gatehouse = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, GATEHOUSE_HOME: home, DOCKER_HOST: engine.dockerHost };
    return (await promisify(execFile)(process.execPath, [bin, ...args], { env })).stdout;
  };
  const run = async ({ image, transport, args }: TestServer): Promise<string> => {
    const name = `w-${randomUUID().slice(0, 8)}`;
    leftovers.push(() => gatehouse('rm', name));
    const printed = await gatehouse('run', image, '--name', name, '--transport', transport, '--json', '--', ...args);
    return (JSON.parse(printed) as { url: string }).url;
  };
  const manager = async (user: string, method: string, path: string, body?: unknown, headers = {}) => {
    const response = await fetch(`${platform.json.urls.enterprise_manager}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await platform.token(user)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { etag: response.headers.get('etag') ?? '', body: JSON.parse(text === '' ? '{}' : text) as Body };
  };
  const connect = async (user: string, options: ClientOptions): Promise<Client> => {
    const client = new Client({ name: 'stock', version: '1.0.0' }, options);
    const authorization = `Bearer ${await platform.token(user)}`;
    const url = new URL(`${platform.json.urls.connector_gateway}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
    return client;
  };
  const listToolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  /** Waits until the gateway has received the connector, its policy and the connection. */
  const untilListed = (client: Client, tool: string) =>
    until(`${tool} is listed`, async () => (await listToolNames(client)).includes(tool));
  /** Creates a connector for a URL, grants it to a new group with alice, and connects alice. */
  const createConnector = async (endpoint: string): Promise<{ id: string; slug: string }> => {
    const word = randomUUID().slice(0, 8);
    const gateway = platform.json.gateway_id;
    const { body: connector } = await manager('admin', 'POST', `/v1/gateways/${gateway}/connectors`, {
      name: `C ${word}`,
      endpoint,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
    });
    expect(connector.status).toBe('available');
    const { body: group } = await manager('admin', 'POST', '/v1/groups', { display_name: `G ${word}` });
    const { body: people } = await manager('admin', 'GET', '/v1/users?user_name=alice');
    await manager('admin', 'PUT', `/v1/groups/${group.id}/users/${people.items[0]!.id}`);
    const { etag } = await manager('admin', 'GET', `/v1/connectors/${connector.id}/policy`);
    await manager(
      'admin',
      'PUT',
      `/v1/connectors/${connector.id}/policy/groups`,
      { group_ids: [group.id] },
      { 'if-match': etag },
    );
    await manager('alice', 'POST', '/v1/me/connections', { gateway_id: gateway, connector_id: connector.id });
    return connector;
  };
  const readActivity = async (connectorId: string): Promise<ToolCallRecord[]> => {
    const query = `gateway_id=${platform.json.gateway_id}&limit=500`;
    const path = `/v1/metering/usage/connectors/${connectorId}/calls?${query}`;
    return (await manager('admin', 'GET', path)).body.records;
  };
  const catchError = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: unknown) => ({ code: (error as ProtocolError).code, message: (error as Error).message }),
    );

  const everything = async (transport: TestServer['transport']): Promise<TestServer> => ({
    image: await everythingImage(engine),
    transport,
    args: [transport === 'stdio' ? 'stdio' : 'streamableHttp'],
    tool: 'echo',
    arguments: (word) => ({ message: word }),
    expectedText: (word) => `Echo: ${word}`,
  });
  const generated = async (transport: TestServer['transport']): Promise<TestServer> => {
    const server = await generatedServerImage(engine);
    leftovers.push(() => server.remove());
    return {
      image: server.image,
      transport,
      args: [transport === 'stdio' ? 'stdio' : 'streamableHttp'],
      tool: server.echoTool,
      arguments: (word) => ({ text: word }),
      expectedText: (word) => `${server.prefix}${word}`,
    };
  };
  const servers: [string, () => Promise<TestServer>][] = [
    ['server-everything over streamable HTTP', () => everything('streamable-http')],
    ['server-everything over stdio', () => everything('stdio')],
    ['a generated server over streamable HTTP', () => generated('streamable-http')],
    ['a generated server over stdio', () => generated('stdio')],
  ];

  beforeAll(async () => {
    await Promise.all([everythingImage(engine), generatedServerImage(engine).then((server) => server.remove())]);
  }, 600_000);
  afterAll(async () => {
    for (const remove of leftovers.reverse()) await remove().catch(() => undefined);
    await (platform as RunningPlatform | undefined)?.remove();
    rmSync(home, { recursive: true, force: true });
  }, 120_000);

  it('starts a workload before the platform, and the platform afterwards', async () => {
    const server = await generated('streamable-http');
    const endpoint = await run(server);
    platform = await startPlatform({ home });
    const { slug } = await createConnector(endpoint);
    const client = await connect('alice', LEGACY);
    await untilListed(client, `${slug}__${server.tool}`);
    await client.close();
  }, 120_000);

  it.each(servers)(
    'lets alice list and call %s in both protocol versions, hides it from bob, and records each call once',
    async (_, make) => {
      const server = await make();
      const { id, slug } = await createConnector(await run(server));
      const exposed = `${slug}__${server.tool}`;

      for (const era of [LEGACY, MODERN]) {
        const alice = await connect('alice', era);
        await untilListed(alice, exposed);
        const word = randomUUID();
        const result = await alice.callTool({ name: exposed, arguments: server.arguments(word) });
        expect(result.content).toEqual([{ type: 'text', text: server.expectedText(word) }]);
        await alice.close();

        const bob = await connect('bob', era);
        expect((await listToolNames(bob)).filter((name) => name.startsWith(slug))).toEqual([]);
        const hidden = await catchError(bob.callTool({ name: exposed, arguments: server.arguments(word) }));
        const unknown = await catchError(bob.callTool({ name: `${slug}__no-such-tool`, arguments: {} }));
        expect(hidden).toEqual(unknown);
        expect(hidden).toMatchObject({ code: -32602 });
        await bob.close();
      }

      await until('every call is recorded', async () => (await readActivity(id)).length >= 6);
      const records = await readActivity(id);
      expect(new Set(records.map(({ call_id }) => call_id)).size).toBe(6);
      const facts = records.map((record) => [record.user_email, record.tool_name, record.decision, record.outcome]);
      // A generated tool name sorts before or after the unknown one.
      expect(facts.sort()).toEqual(
        [
          ['alice@example.test', server.tool, 'allowed', 'ok'],
          ['alice@example.test', server.tool, 'allowed', 'ok'],
          ['bob@example.test', 'no-such-tool', 'denied', 'unspecified'],
          ['bob@example.test', 'no-such-tool', 'denied', 'unspecified'],
          ['bob@example.test', server.tool, 'denied', 'unspecified'],
          ['bob@example.test', server.tool, 'denied', 'unspecified'],
        ].sort(),
      );
    },
    120_000,
  );

  it('delivers each record once when the enterprise manager is killed before the delivery', async () => {
    const server = await generated('streamable-http');
    const { id, slug } = await createConnector(await run(server));
    const alice = await connect('alice', LEGACY);
    const bob = await connect('bob', LEGACY);
    const name = `${slug}__${server.tool}`;
    await untilListed(alice, name);
    await alice.callTool({ name, arguments: server.arguments('warm') });
    await catchError(bob.callTool({ name, arguments: server.arguments('warm') }));

    process.kill(platform.pids()['enterprise-manager']!, 'SIGKILL');
    await alice.callTool({ name, arguments: server.arguments('while it is down') });
    await catchError(bob.callTool({ name, arguments: server.arguments('while it is down') }));
    await alice.close();
    await bob.close();

    await platform.ready();
    await until('the calls during the outage are recorded', async () => (await readActivity(id)).length >= 4);
    // A second delivery of a record would follow the first one.
    await sleep(2_000);
    const records = await readActivity(id);
    expect(records.map(({ user_email, decision }) => [user_email, decision]).sort()).toEqual([
      ['alice@example.test', 'allowed'],
      ['alice@example.test', 'allowed'],
      ['bob@example.test', 'denied'],
      ['bob@example.test', 'denied'],
    ]);
  }, 120_000);

  it('keeps all data when the platform is killed and started again', async () => {
    const server = await generated('stdio');
    const { slug } = await createConnector(await run(server));
    process.kill(platform.json.pid, 'SIGKILL');
    await platform.ended();
    platform = await startPlatform({ home, offset: platform.offset });
    const client = await connect('alice', MODERN);
    await untilListed(client, `${slug}__${server.tool}`);
    const result = await client.callTool({ name: `${slug}__${server.tool}`, arguments: server.arguments('again') });
    expect(result.content).toEqual([{ type: 'text', text: server.expectedText('again') }]);
    await client.close();
  }, 120_000);
});
