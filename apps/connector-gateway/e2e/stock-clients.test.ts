import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import { describeWhen } from '@gatehouse/testing/fixture';
import { runProcess } from '@gatehouse/testing/process';
import { mcpPython } from '@gatehouse/testing/python-environment';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  connectCurrent,
  connectPrevious,
  type Endpoint,
  EXPECTED,
  observe,
  type Observed,
  readText,
  stripPrefix,
} from './support/stock-clients.ts';
import { eventually, MODERN, World } from './support/world.ts';

const features = ['list', 'call', 'progress', 'logging', 'elicitation'] as const;

let world: World;
let server: ConformanceServer;
let tools: string[];
/** The server itself, and the endpoint of all connectors and of one. */
let endpoints: Record<'the server' | '/mcp' | '/mcp/{slug}', Endpoint>;
const places = ['the server', '/mcp', '/mcp/{slug}'] as const;

beforeAll(async () => {
  world = await World.start();
  server = await startConformanceServer();
  const connector = world.manager.addConnector({ slug: 'stock', endpoint: server.url }, ['all']);
  world.manager.toggle(world.manager.addUser({ subject: 'alice', groups: ['all'] }), connector, true);
  const token = await world.token('alice');
  const { url } = await world.gateway();
  endpoints = {
    'the server': { url: server.url, token, prefix: '' },
    '/mcp': { url: `${url}/mcp`, token, prefix: 'stock__' },
    '/mcp/{slug}': { url: `${url}/mcp/stock`, token, prefix: '' },
  };
  const direct = await world.client(server.url, token);
  tools = stripPrefix((await direct.listTools()).tools, '');
  const through = await world.client(`${url}/mcp`, token);
  const lists = async () => ((await through.listTools()).tools.length > 0 ? true : undefined);
  await eventually(lists, 'the tools are listed');
}, 120_000);

afterAll(async () => {
  await world.close();
  await server.close();
});

/** Registers a test for each feature of a client at each place. */
function describeFeatures(client: string, observeAt: (place: (typeof places)[number]) => Promise<Observed>): void {
  describe.each(places)(`${client} at %s`, (place) => {
    let observed: Observed;
    beforeAll(async () => (observed = await observeAt(place)), 120_000);

    it.each(features)('serves the feature %s', (feature) => {
      expect(observed[feature]).toEqual({ list: tools, ...EXPECTED }[feature]);
    });
  });
}

const connections = {
  'the TypeScript client 2 of 2026-07-28': (endpoint: Endpoint) => connectCurrent(endpoint, MODERN),
  'the TypeScript client 2 of 2025-11-25': (endpoint: Endpoint) =>
    connectCurrent(endpoint, { versionNegotiation: { mode: 'legacy' } }),
  'the TypeScript client 1': connectPrevious,
};
for (const [client, connect] of Object.entries(connections)) {
  describeFeatures(client, async (place) => observe(await connect(endpoints[place]), endpoints[place].prefix));
}

const folder = join(import.meta.dirname, 'python');

describeWhen(await mcpPython(), 'Python', (python) => {
  const modes = { '2026-07-28': '2026-07-28', '2025-11-25': 'legacy' };
  const uses = Object.entries(modes).flatMap(([revision, mode]) => places.map((place) => ({ revision, mode, place })));
  let observations: Promise<Observed[]> | undefined;

  /** Observes all places with both revisions in one process. */
  const observeAll = async (): Promise<Observed[]> => {
    const { stdout, stderr } = await runProcess({
      command: [python, join(folder, 'stock_client.py')],
      env: { PYTHONDONTWRITEBYTECODE: '1' },
      input: JSON.stringify(uses.map(({ mode, place }) => ({ ...endpoints[place], mode }))),
    });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Observed[];
  };

  for (const revision of Object.keys(modes)) {
    describeFeatures(`the Python client of ${revision}`, async (place) => {
      observations ??= observeAll();
      return (await observations)[uses.findIndex((use) => use.revision === revision && use.place === place)]!;
    });
  }
});

describe.each(places)('the command line of the MCP inspector at %s', (place) => {
  const inspector = fileURLToPath(
    import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  );
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-inspector-'));
  afterAll(() => rmSync(home, { recursive: true }));

  const inspect = async (...args: string[]): Promise<unknown> => {
    const { url, token } = endpoints[place];
    const options = ['--server-url', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
    const command = [process.execPath, inspector, '--cli', ...options, ...args] as const;
    const { stdout, stderr } = await runProcess({ command, env: { HOME: home } });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  };

  it('lists tools', async () => {
    const { tools: listed } = (await inspect('--method', 'tools/list')) as { tools: { name: string }[] };
    expect(stripPrefix(listed, endpoints[place].prefix)).toEqual(tools);
  });

  it('calls a tool', async () => {
    const name = `${endpoints[place].prefix}test_simple_text`;
    expect(readText(await inspect('--method', 'tools/call', '--tool-name', name))).toBe(EXPECTED.call);
  });
});
