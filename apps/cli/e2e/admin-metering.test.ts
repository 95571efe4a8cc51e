import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(120_000);

interface Page {
  records: { sequence: number; usage: Record<string, unknown> }[];
  checkpoints: object[];
  head: object;
}

const CONNECTOR = randomUUID();
let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  await reportCalls();
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const file = (name: string): string => join(platform.gatehouse.home, name);

/** Reports calls as a gateway. */
async function reportCalls(): Promise<void> {
  const { enterprise_manager: manager, identity_provider: issuer } = platform.urls;
  const discovered = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
    token_endpoint: string;
  };
  const secret = readFileSync(file('secrets/connector-gateway.client-secret'), 'utf8').trim();
  const granted = await fetch(discovered.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`connector-gateway:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const calls = Array.from({ length: 5 }, (_, at) => ({
    call_id: randomUUID(),
    occurred_at: new Date(Date.now() - at * 1_000).toISOString(),
    connector_id: CONNECTOR,
    connector_name: 'Notes',
    tool_name: at === 0 ? 'add' : 'search',
    groups: [{ id: 'g', name: 'Engineers' }],
    decision: 'allowed',
    outcome: 'ok',
    category: 'invocation',
    billable: true,
  }));
  const response = await fetch(`${manager}/gateway/v1/gateways/local/tool-calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ calls }),
  });
  const { results } = (await response.json()) as { results: { status: string; error?: string }[] };
  expect(results.map(({ status, error }) => error ?? status)).toEqual(calls.map(() => 'stored'));
}

describe('gatehouse admin metering', () => {
  it('shows calls as tables and as JSON', async () => {
    expect(await json('admin', 'metering', 'summary')).toEqual({
      figures_of: { scope: 'all_users' },
      active_user_count: 0,
      tool_call_count: 5,
    });
    expect((await call('admin', 'metering', 'top-connectors', '--from', '1h')).stdout).toMatch(/Notes +\S+ +5/);
    expect(await json('admin', 'metering', 'top-tools', '--limit', '1')).toMatchObject([
      { tool_name: 'search', tool_call_count: 4 },
    ]);
    expect((await call('admin', 'metering', 'connector', CONNECTOR)).stdout).toMatch(
      /Notes \(all\) +5\n *Engineers +5/,
    );
    await call('admin', 'connectors', 'create', 'Quiet one', '--endpoint', 'https://quiet.example.com/mcp');
    expect((await call('admin', 'metering', 'connector', 'quiet-one')).stdout).toMatch(/\(all\) +0/);
    expect((await call('admin', 'metering', 'activity', 'Quiet one')).stderr).toContain('No calls');
    expect((await call('admin', 'metering', 'activity', 'Another')).stderr).toContain(
      'There is no connector "Another"',
    );
    expect((await call('admin', 'metering', 'activity', CONNECTOR, '--limit', '2')).stderr).toContain(
      'Only the first 2',
    );
    expect(await json('admin', 'metering', 'activity', CONNECTOR, '--all')).toHaveLength(5);
    expect((await call('admin', 'metering', 'timeseries', '--by', 'tool', '--every', 'month')).stdout).toMatch(
      /search: 4, add: 1/,
    );
    expect((await call('admin', 'metering', 'user', 'alice')).stderr).toContain('No calls');
    expect((await call('admin', 'metering', 'summary', '--gateway', 'none')).code).toBe(1);
    expect((await call('admin', 'metering', 'summary', '--from', '1h', '--to', '2h')).code).toBe(2);
    expect((await call('admin', 'metering', 'user', 'unknown')).code).toBe(1);
  });
});

describe('gatehouse metering verify', () => {
  it('accepts an unchanged export without the manager, and reports the first changed record', async () => {
    const whole = file('calls.ndjson');
    expect(await json('admin', 'metering', 'export', '--output', whole)).toMatchObject({ records: 5, file: whole });
    expect(existsSync(`${whole}.keys.json`)).toBe(true);
    const said = await call('metering', 'verify', whole);
    expect(said).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^5 records are unchanged, and the export is complete until 20\S+Z\n$/),
    });
    expect(said.stdout).toMatch(/^local:\d{4}-\d\d +5 records from 1 to 5, 5 confirmed by signatures\n$/);
    const page = JSON.parse(readFileSync(whole, 'utf8')) as Page;
    const tampered = async (name: string, change: (page: Page) => void) => {
      const copy = structuredClone(page);
      change(copy);
      writeFileSync(file(name), JSON.stringify(copy, null, 2));
      return call('metering', 'verify', file(name), '--keys', `${whole}.keys.json`);
    };
    expect((await tampered('same.json', () => undefined)).code).toBe(0);
    const changed = await tampered('changed.json', ({ records }) => (records[2]!.usage['tool_name'] = 'x'));
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringMatching(/record 3 of local:\S+ \(call \S+\): it was changed/),
    ]);
    expect((await tampered('dropped.json', ({ records }) => records.splice(1, 1))).stderr).toMatch(
      /record 2 before it is missing/,
    );
    expect((await tampered('doubled.json', ({ records }) => records.splice(1, 0, records[1]!))).stderr).toMatch(
      /record 2 .*twice/,
    );
    expect((await tampered('moved.json', ({ records }) => records.reverse())).stderr).toMatch(
      /records 1 to 4 are missing/,
    );
    expect((await tampered('unsigned.json', (one) => (one.checkpoints = []))).stderr).toMatch(/no signed checkpoint/);
    const result = await call('metering', 'verify', file('changed.json'), '--keys', `${whole}.keys.json`, '--json');
    expect([result.code, JSON.parse(result.stdout)]).toMatchObject([1, { records: 2, bad: { sequence: 3 } }]);
    expect((await call('metering', 'verify', file('changed.json'))).stderr).toMatch(
      /^Error: The key set beside the export is missing: .*changed\.json\.keys\.json\nTry: --keys jwks\.json/,
    );
    expect((await call('metering', 'verify')).code).toBe(2);
    const noted = await tampered('noted.json', ({ records }) => Object.assign(records[0]!, { note: 'paid' }));
    expect([noted.code, noted.stderr]).toEqual([1, expect.stringContaining('the unknown member "note"')]);
    writeFileSync(
      file('proto.json'),
      readFileSync(whole, 'utf8').replace('"usage":', '"__proto__":{"billable":false},"usage":'),
    );
    const proto = await call('metering', 'verify', file('proto.json'), '--keys', `${whole}.keys.json`);
    expect([proto.code, proto.stderr]).toEqual([1, expect.stringContaining('the unknown member "__proto__"')]);
    const cut = await tampered('cut.json', (one) => Reflect.deleteProperty(one, 'head'));
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('--through')]);
    const cutFile = ['metering', 'verify', file('cut.json'), '--keys', `${whole}.keys.json`, '--through'];
    expect((await call(...cutFile, '5')).code).toBe(0);
    expect((await call(...cutFile, '6')).stderr).toContain('ends at record 5');
    writeFileSync(file('empty.ndjson'), '');
    const empty = ['metering', 'verify', file('empty.ndjson'), '--keys', `${whole}.keys.json`];
    expect((await call(...empty)).stderr).toContain('--allow-empty');
    expect((await call(...empty, '--allow-empty')).code).toBe(0);
    writeFileSync(file('twice.json'), '{"records":[],"records":[],"checkpoints":[]}');
    expect((await call('metering', 'verify', file('twice.json'), '--keys', `${whole}.keys.json`)).code).toBe(1);
  });
});

describe('gatehouse admin discovery', () => {
  it('reports an empty list without a cluster', async () => {
    const listed = await call('admin', 'discovery', 'list');
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([
      0,
      '',
      expect.stringContaining('No MCP servers in the cluster'),
    ]);
    expect(await json('admin', 'discovery', 'list')).toEqual([]);
  });

  it('suggests the list command for an unknown server, and refuses an unknown gateway', async () => {
    for (const server of ['tools/search', randomUUID()]) {
      const admitted = await call('admin', 'discovery', 'admit', server);
      expect([admitted.code, admitted.stderr]).toEqual([1, expect.stringContaining('gatehouse admin discovery list')]);
    }
    const elsewhere = await call('admin', 'discovery', 'list', '--gateway', 'none');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('no such gateway')]);
  });
});

describe('gatehouse admin connections', () => {
  it('suggests the list command for an unknown connector or connection', async () => {
    const listed = await call('admin', 'connections', 'list', 'none');
    expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining('There is no connector "none"')]);
    const shown = await call('admin', 'connections', 'get', randomUUID());
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('there is no such connection')]);
    expect((await call('admin', 'connections', 'get', 'nonsense')).code).toBe(2);
  });
});
