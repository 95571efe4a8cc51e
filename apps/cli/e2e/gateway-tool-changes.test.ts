import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { waitForValue } from '@gatehouse/testing/eventually';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(120_000);

interface ToolChange {
  id: string;
  tool: string;
  status: string;
}

const CHANGES = ['admin', 'gateways', 'tool-changes'];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let platform: LocalPlatform;
let upstream: McpUpstream;
let endpoint: string;
let token: string;

beforeAll(async () => {
  platform = await LocalPlatform.start();
  upstream = await startMcpUpstream();
  await signIn('admin');
  const { urls } = JSON.parse(readFileSync(join(platform.gatehouse.home, 'platform.json'), 'utf8')) as {
    urls: Record<string, string>;
  };
  endpoint = `${urls['connector_gateway']}/mcp/shop`;
  token = (await platform.gatehouse.call(['token', '--user', 'alice'])).stdout.trim();
  await ok('admin', 'groups', 'create', 'buyers');
  await ok('admin', 'groups', 'add-user', 'buyers', 'alice');
  await ok('admin', 'connectors', 'create', 'shop', '--endpoint', upstream.url, '--private-addresses', '--publish');
  await ok('admin', 'policy', 'grant', 'shop', '--group', 'buyers');
  await signIn('alice');
  await ok('connectors', 'enable', 'shop');
  await signIn('admin');
  await ok('admin', 'gateways', 'settings', 'set', 'content.tool_pinning="quarantine"');
  await waitForTools((names) => names.length === 4);
});
afterAll(async () => {
  await platform.stop();
  await upstream.close();
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call([...CHANGES, ...args]);
const list = (...args: string[]) => platform.gatehouse.json<ToolChange[]>(...CHANGES, 'list', ...args);

async function ok(...args: string[]): Promise<void> {
  const { code, stderr } = await platform.gatehouse.call(args);
  if (code !== 0) throw new Error(stderr);
}

async function signIn(user: string): Promise<void> {
  expect((await platform.login(user)).code).toBe(0);
}

/** Waits until alice gets certain tools. */
async function waitForTools(isExpected: (names: string[]) => boolean): Promise<void> {
  await waitForValue(listTools, isExpected);
}

async function listTools(): Promise<string[]> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const { result } = (await response.json()) as { result?: { tools: { name: string }[] } };
  return (result?.tools ?? []).map(({ name }) => name);
}

describe('gatehouse admin gateways tool-changes', () => {
  it('shows the differences of new tools, accepts one and rejects the other', async () => {
    expect((await call('list')).stderr).toBe('No tool changes\n');
    upstream.setExtraTools(['discount', 'steal']);
    const listPending = async () => {
      await listTools();
      return list('--status', 'pending');
    };
    await waitForValue(listPending, ({ length }) => length === 2);
    const { stdout } = await call('list');
    expect(stdout).toMatch(/^ID +CONNECTOR +TOOL +CHANGE +STATUS +FIRST SEEN +LAST SEEN$/m);
    expect(stdout).toMatch(/ +shop +discount +new +pending/);
    expect(stdout).toContain('\n+name: discount\n');
    expect((await call('list', '--no-diff')).stdout).not.toContain('+name');
    const changes = await list();
    const getId = (tool: string) => changes.find((change) => change.tool === tool)!.id;
    const accepted = await call('accept', getId('discount'), '--yes');
    expect([accepted.code, accepted.stderr]).toEqual([
      0,
      `The definition of discount is accepted (${getId('discount')})\n`,
    ]);
    await waitForTools((names) => names.includes('discount'));
    const [rejected] = await platform.gatehouse.json<ToolChange[]>(...CHANGES, 'reject', getId('steal'), '--yes');
    expect(rejected).toMatchObject({ tool: 'steal', status: 'rejected' });
    expect(await listTools()).not.toContain('steal');
    expect((await list('--status', 'accepted')).map(({ tool }) => tool)).toEqual(['discount']);
    const conflict = await call('reject', getId('discount'), '--yes');
    expect([conflict.code, conflict.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('this definition of discount was accepted at'),
    ]);
  });

  it('refuses an unknown change, text that is no id, and a missing confirmation', async () => {
    for (const decision of ['accept', 'reject']) {
      const unknown = await call(decision, UNKNOWN, '--yes');
      expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('there is no such tool change')]);
      expect(unknown.stderr).toContain('gatehouse admin gateways tool-changes list');
      expect((await call(decision, 'garbage', '--yes')).stderr).toContain('must be a UUID');
      expect((await call(decision, UNKNOWN)).stderr).toContain('--yes');
      expect((await call(decision)).code).toBe(2);
    }
  });

  it('refuses a user who is no administrator', async () => {
    const { code, stderr } = await platform.gatehouse.call([...CHANGES, 'list'], { GATEHOUSE_TOKEN: token });
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('caller is not a directory admin')]);
  });
});
