import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Gatehouse } from './gatehouse.ts';

const createEntry = (name: string, fields: object = {}) => ({
  name,
  description: 'Files',
  version: '1.0.0',
  ...fields,
});
const createDocument = (...servers: object[]) => ({
  ...{ version: '1.0.0', meta: { last_updated: '2026-11-26T00:00:00Z' } },
  data: { servers, groups: [{ name: 'office', description: 'Office', servers: servers.slice(0, 1) }] },
});

const gatehouse = new Gatehouse();
let server: Server;
let origin: string;
let answer: object | undefined;
const run = (...args: string[]) => gatehouse.begin(args).ended;
const writeDocument = (name: string, value: unknown): string => {
  const path = join(gatehouse.home, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    if (answer === undefined || !request.url?.startsWith('/v0.1/servers?')) response.writeHead(404).end();
    else response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(gatehouse.home, { recursive: true, force: true });
});

describe('the embedded registry', () => {
  it('is listed, searched and shown', async () => {
    const list = await run('registry', 'list');
    expect([list.code, list.stdout]).toEqual([
      0,
      expect.stringMatching(/^NAME +RUNS AS +TRANSPORT +TOOLS +DESCRIPTION\n/),
    ]);
    const found = await run('search', 'brave', 'web', '--json');
    expect((JSON.parse(found.stdout) as { name: string }[]).map(({ name }) => name)).toEqual([
      'io.github.brave/brave-search-mcp-server',
    ]);
    const offline = await run('registry', 'list', '--group', 'offline');
    expect(offline.stdout).toMatch(/^io\.github\.modelcontextprotocol\/server-git +package +stdio/m);
    expect((await run('registry', 'info')).stdout).toMatch(/^ *offline +5 +Servers without credentials/m);
    const info = await run('registry', 'info', 'server-time');
    expect(info.stdout).toMatch(/^runs +uvx:\/\/mcp-server-time==/m);
  });

  it('does not have an unknown server', async () => {
    const { code, stderr } = await run('registry', 'info', 'nothing');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("There is no server 'nothing' in the embedded registry"),
    ]);
  });
});

describe('registry set', () => {
  it('selects a file, shows hostile texts harmlessly and names entries that are left out', async () => {
    const path = writeDocument(
      'registry.json',
      createDocument(
        createEntry('a.b/files', { description: 'Evil\u001b]0;x\u0007 \u202etext' }),
        createEntry('../../etc'),
      ),
    );
    const set = await run('registry', 'set', path);
    expect([set.code, set.stderr]).toEqual([0, expect.stringContaining('with 1 server')]);
    const list = await run('registry', 'list');
    expect(list.stdout).toContain('Evil\\u001b]0;x\\u0007 \\u202etext');
    expect(list.stderr).toContain('Left out: data.servers[1]: name: ');
    expect(JSON.parse((await run('registry', 'list', '--group', 'office', '--json')).stdout)).toHaveLength(1);
    expect((await run('registry', 'list', '--group', 'x')).code).toBe(2);
  });

  it.each([
    ['no JSON', '<html>', 'is not valid JSON'],
    ['without servers', createDocument(), 'has no server that can be used'],
    ['of the older format', { servers: { fetch: {} } }, 'older format'],
  ])('changes nothing for a file that is %s', async (_, value, reason) => {
    const before = readFileSync(join(gatehouse.home, 'settings.json'), 'utf8');
    const { code, stderr } = await run('registry', 'set', writeDocument('other.json', value));
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(readFileSync(join(gatehouse.home, 'settings.json'), 'utf8')).toBe(before);
  });

  it('needs a flag for a private address, and detects the API', async () => {
    answer = { servers: [{ server: createEntry('a.b/time') }], metadata: {} };
    const refused = await run('registry', 'set', origin);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--allow-private-ip')]);
    const set = await run('registry', 'set', origin, '--allow-private-ip', '--json');
    expect(JSON.parse(set.stdout)).toEqual({ kind: 'api', url: origin, allow_private_ip: true, servers: 1 });
    expect((await run('search', 'time')).stdout).toContain('a.b/time');
  });

  it('returns to the embedded registry with --reset, and keeps other settings', async () => {
    const path = join(gatehouse.home, 'settings.json');
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), other: { a: 1 } }));
    expect((await run('registry', 'set', '--reset')).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ other: { a: 1 } });
    expect((await run('registry', 'info')).stdout).toContain('the embedded registry');
  });

  it.each([[[]], [['x.json', '--reset']]])('refuses %j', async (args) => {
    expect((await run('registry', 'set', ...args)).code).toBe(2);
  });

  it('says how to go on with damaged settings', async () => {
    writeFileSync(join(gatehouse.home, 'settings.json'), '{"registry":{"kind":"pipe"}}');
    const { code, stderr } = await run('registry', 'list');
    expect([code, stderr]).toEqual([1, expect.stringContaining('gatehouse registry set --reset')]);
  });
});
