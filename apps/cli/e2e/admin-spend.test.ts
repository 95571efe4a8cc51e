import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

interface Charge {
  id: string;
  event_time: string;
  charged_usd: string;
  model: string;
  subject_id: string;
}

/** A number whose text JavaScript would change. */
const EXACT = '0.1234567890123456789';
let platform: LocalPlatform;
let alice: string;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  alice = await reportUsage();
  const minted = await fetch(`${platform.urls.identity_provider}/local/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readFileSync(file('secrets/local-tokens'), 'utf8').trim()}` },
    body: JSON.stringify({ user: 'admin', ttl_seconds: 600 }),
  });
  writeFileSync(file('token'), ((await minted.json()) as { access_token: string }).access_token);
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const file = (name: string): string => join(platform.gatehouse.home, name);

/**
 * Reports three requests of alice as a gateway: two with a price, and one without.
 * @returns her subject
 */
async function reportUsage(): Promise<string> {
  const { enterprise_manager: manager, identity_provider: issuer } = platform.urls;
  const discovered = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
    issuer: string;
    token_endpoint: string;
  };
  const secret = readFileSync(file('secrets/ai-gateway.client-secret'), 'utf8').trim();
  const granted = await fetch(discovered.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`ai-gateway:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const people = JSON.parse(readFileSync(file('config/seed-users.json'), 'utf8')) as {
    user_name: string;
    subject: string;
  }[];
  const subject = people.find(({ user_name: name }) => name === 'alice')?.subject ?? '';
  const event = (model: string, input: number, minutesAgo: number) => ({
    interaction_id: randomUUID(),
    attempt: 1,
    event_time: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    gateway_id: 'local-ai',
    principal: { issuer: discovered.issuer, subject },
    provider: 'openai',
    route: 'chat',
    requested_model: model,
    model,
    outcome: 'delivered',
    upstream_status: 200,
    duration_ms: 900,
    raw_usage: { prompt_tokens: input, completion_tokens: 10, total_tokens: input + 10, provider_units: 'EXACT' },
  });
  const response = await fetch(`${manager}/webhooks/budgets/usage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      events: [event('gpt-6.2-sol', 1_000, 1), event('gpt-6.2-sol', 2_000, 2), event('unheard-of', 5, 3)],
    }).replaceAll('"EXACT"', EXACT),
  });
  const { results } = (await response.json()) as { results: { status: string; error?: string }[] };
  expect(results.map(({ status, error }) => error ?? status)).toEqual(['charged', 'charged', 'unpriceable']);
  return subject;
}

describe('gatehouse admin charges', () => {
  it('list shows a table, JSON, and all charges as NDJSON on stdout or in a file', async () => {
    const shown = await call('admin', 'charges', 'list', '--payer-user', alice);
    expect(shown.stdout).toMatch(/^TIME +USER +PAID BY +PROVIDER +MODEL +CHARGED USD +BASIS/);
    expect(shown.stdout).toMatch(/Z +alice +alice +openai +gpt-6\.2-sol /);
    expect(shown.stdout).not.toContain(alice);
    const charges = await json<Charge[]>('admin', 'charges', 'list', '--model', 'gpt-6.2-sol', '--from', '1h');
    expect(charges.map(({ subject_id: payer }) => payer)).toEqual([alice, alice]);
    const lines = await call('admin', 'charges', 'list', '--ndjson');
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Charge),
    ).toEqual(charges);
    expect(await call('admin', 'charges', 'list', '--output', file('charges.ndjson'))).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(readFileSync(file('charges.ndjson'), 'utf8')).toBe(lines.stdout);
    expect((await call('admin', 'charges', 'list', '--payer-user', 'unknown')).stderr).toContain('No charges');
    for (const name of ['alice', 'alice@example.test'])
      expect(await json('admin', 'charges', 'list', '--payer-user', name)).toEqual(charges);
    expect((await call('admin', 'charges', 'list', '--from', '1h', '--to', '2h')).code).toBe(2);
    expect((await call('admin', 'charges', 'list', '--payer-user', 'a', '--payer-group', 'b')).code).toBe(2);
    expect((await call('admin', 'charges', 'list', '--ndjson', '--json')).code).toBe(2);
  });

  it('get shows quantity, rate and amount of each line, the sum and the rounding', async () => {
    const [charge] = await json<(Charge & { usage: Record<string, number> })[]>('admin', 'charges', 'list');
    const { id, charged_usd } = charge!;
    const shown = await call('admin', 'charges', 'get', id);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toMatch(/^paid_by +user alice$/m);
    expect(shown.stdout).toMatch(/^PART +QUANTITY +RATE USD +UNIT +AMOUNT USD$/m);
    expect(shown.stdout).toMatch(/^input +1000 +[\d.]+ +per million tokens +0\.\d+$/m);
    expect(shown.stdout).toMatch(/^output +10 +[\d.]+ +per million tokens +0\.\d+$/m);
    expect(shown.stdout).toMatch(/^exact sum +- +- +- +0\.\d+$/m);
    expect(shown.stdout).toMatch(/^rounding +- +- +- +0\.0$/m);
    expect(shown.stdout).toMatch(new RegExp(`^charged +- +- +- +${charged_usd}$`, 'm'));
    const statement = await json<{ lines: object[] }>('admin', 'charges', 'get', id.toUpperCase());
    expect(statement).toMatchObject({ charge, computed_usd: charged_usd, differs: false });
    expect(statement.lines).toHaveLength(2);
    expect(await json('admin', 'charges', 'get', id, '--from', '1h')).toEqual(statement);
  });

  it.each([
    [['not-an-id'], 2, 'ID: must be the id of a charge'],
    [['019ab1f4-2c00-7d35-9a55-0c8f6f7c2f10'], 1, 'There is no charge 019ab1f4'],
    [['019ab1f4-2c00-7d35-9a55-0c8f6f7c2f10', '--from', '1h', '--to', '2h'], 2, '--from'],
  ])('get refuses %j with the reason', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await call('admin', 'charges', 'get', ...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
  });

  it('verify recomputes every charge', async () => {
    expect(await json('admin', 'charges', 'verify')).toMatchObject({ checked: 2, reserved_only: 0, differences: [] });
    expect(await call('admin', 'charges', 'verify', '--from', '1h')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^2 charges recomputed, \$0\.\d+ in total\n$/),
    });
  });

  it('verify reports each difference and fails, also for false data of the manager', async () => {
    const honest = platform.urls.enterprise_manager;
    const liar = createServer((request, response) => {
      void (async () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => ['authorization', 'accept'].includes(name)),
        ) as Record<string, string>;
        const upstream = await fetch(`${honest}${request.url ?? ''}`, { headers });
        const text = await upstream.text();
        const lie = (request.url ?? '').startsWith('/v1/budgets/charges')
          ? text.replace(/("charged_usd":"\d+\.\d{8})\d/, '$17').replace(/"input":1000/, '"input":1001')
          : text;
        response.writeHead(upstream.status, { 'content-type': upstream.headers.get('content-type') ?? '' }).end(lie);
      })();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => liar.once('listening', resolve));
    try {
      const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
      const found = await call('admin', 'charges', 'verify', '--url', url, '--token-file', file('token'));
      expect(found.code).toBe(1);
      expect(found.stdout).toMatch(/charged_usd +0\.\d{9} +0\.\d{8}7/);
      expect(found.stdout).toMatch(/usage +input 1000, output 10 +input 1001, output 10/);
      expect(found.stderr).toContain('2 differences were found');
      const [{ id } = { id: '' }] = await json<Charge[]>('admin', 'charges', 'list');
      const got = await call('admin', 'charges', 'get', id, '--url', url, '--token-file', file('token'));
      expect([got.code, got.stdout]).toEqual([1, expect.stringMatching(/^computed +- +- +- +0\.\d{9}$/m)]);
      expect(got.stderr).toMatch(/charged_usd: is 0\.\d{8}7, but the sum of the lines is 0\.\d{9}/);
    } finally {
      liar.close();
      liar.closeAllConnections();
    }
  });

  it('verify shows the first differences and counts all', async () => {
    const [charge] = await json<object[]>('admin', 'charges', 'list');
    const forger = createServer((request, response) => {
      const lines = request.headers.accept === 'application/x-ndjson';
      response.setHeader('content-type', lines ? 'application/x-ndjson' : 'application/json');
      if (!lines) return response.end('{"events":[]}');
      if (!(request.url ?? '').startsWith('/v1/budgets/charges')) return response.end();
      const forged = Array.from({ length: 1_100 }, (_, at) => ({ ...charge, id: `${at}`, event_id: `${at}` }));
      return response.end(forged.map((one) => `${JSON.stringify(one)}\n`).join(''));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => forger.once('listening', resolve));
    try {
      const url = `http://127.0.0.1:${(forger.address() as AddressInfo).port}`;
      const found = await call('admin', 'charges', 'verify', '--json', '--url', url, '--token-file', file('token'));
      expect([found.code, found.stderr]).toEqual([
        1,
        expect.stringContaining('1100 differences were found; the first 1000 are shown'),
      ]);
      const audit = JSON.parse(found.stdout) as { difference_count: number; differences: object[] };
      expect([audit.difference_count, audit.differences.length]).toEqual([1_100, 1_000]);
    } finally {
      forger.close();
      forger.closeAllConnections();
    }
  });
});

describe('gatehouse admin usage', () => {
  it('list filters requests by user and outcome', async () => {
    const events = await json<{ model: string }[]>('admin', 'usage', 'list', '--user', alice, '--outcome', 'delivered');
    expect(events.map(({ model }) => model)).toEqual(['gpt-6.2-sol', 'gpt-6.2-sol', 'unheard-of']);
    for (const name of ['alice', 'alice@example.test'])
      expect(await json('admin', 'usage', 'list', '--user', name, '--outcome', 'delivered')).toEqual(events);
    const shown = await call('admin', 'usage', 'list');
    expect(shown.stdout).toMatch(/^TIME +USER +PROVIDER +MODEL +OUTCOME/);
    expect(shown.stdout).toMatch(/Z +alice +openai +unheard-of /);
    expect((await call('admin', 'usage', 'list', '--ndjson', '--model', 'unheard-of')).stdout).toContain(
      '"prompt_tokens":5',
    );
    expect((await call('admin', 'usage', 'list', '--outcome', 'lost')).code).toBe(2);
  });

  it('list keeps the text of the reported numbers', async () => {
    for (const format of ['--json', '--ndjson']) {
      const { stdout } = await call('admin', 'usage', 'list', format, '--model', 'unheard-of');
      expect(stdout.replaceAll(' ', '')).toContain(`"provider_units":${EXACT}`);
    }
  });

  it('recharge reports the number of remaining events', async () => {
    expect(await json('admin', 'usage', 'recharge')).toMatchObject({ charged_count: 0, unpriceable_count: 1 });
    expect((await call('admin', 'usage', 'recharge', '--model', 'unheard-of')).stdout).toMatch(/^0 charged/);
  });
});

describe('gatehouse admin spend', () => {
  it('show lists every day, and breakdown lists amounts by model, provider and user', async () => {
    const series = await json<{ buckets: { usd: string }[] }>('admin', 'spend', 'show', '--payer-user', alice);
    expect(series.buckets).toHaveLength(30);
    const breakdown = await json<{ total_used_usd: string; by_user: object[] }>(
      'admin',
      'spend',
      'breakdown',
      '--payer-user',
      alice,
    );
    expect(breakdown.by_user).toEqual([{ value: alice, used_usd: breakdown.total_used_usd }]);
    const charges = await json<Charge[]>('admin', 'charges', 'list');
    const nano = (usd: string) => BigInt(usd.replace('.', ''));
    expect(charges.reduce((sum, { charged_usd: usd }) => sum + nano(usd), 0n)).toBe(nano(breakdown.total_used_usd));
    const table = await call('admin', 'spend', 'breakdown', '--payer-user', alice);
    expect(table.stdout).toMatch(/^BY +VALUE +USED USD$/m);
    expect(table.stdout).toMatch(/model +gpt-6.2-sol +\$0\./);
    expect(table.stdout).toMatch(/user +alice +\$0\./);
    expect(table.stderr).toMatch(/^\$0\.\d+ used in the month since \d{4}-\d\d-01\n$/);
    expect(await json('admin', 'spend', 'breakdown', '--user', alice, '--by-group')).toMatchObject({ entries: [] });
    expect(await json('admin', 'spend', 'breakdown', '--payer-user', 'alice')).toEqual(breakdown);
    expect(await json('admin', 'spend', 'show', '--payer-user', 'alice')).toEqual(series);
    expect(await json('admin', 'spend', 'breakdown', '--user', 'alice', '--by-group')).toMatchObject({
      subject_id: alice,
    });
    expect((await call('admin', 'spend', 'breakdown')).code).toBe(2);
    expect((await call('admin', 'spend', 'breakdown', '--payer-user', 'unknown')).code).toBe(1);
    for (const command of [['admin', 'spend', 'show'], ['admin', 'spend', 'export'], ['usage']]) {
      expect((await call(...command, '--from', '24h', '--to', '0s')).code).toBe(0);
      const refused = await call(...command, '--from', 'monday');
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--from must be a time')]);
    }
  });

  it('show uses the days of a time zone', async () => {
    const series = await json<{ time_zone: string; buckets: { usd: string }[] }>(
      ...['admin', 'spend', 'show', '--time-zone', 'Pacific/Kiritimati'],
    );
    expect([series.time_zone, series.buckets.length]).toEqual(['Pacific/Kiritimati', 30]);
    expect((await call('admin', 'spend', 'show')).stdout).toMatch(/^DAY +SPENT USD$/m);
    expect((await call('usage', '--time-zone', 'Pacific/Kiritimati', '--json')).stdout).toContain(
      '"Pacific/Kiritimati"',
    );
    for (const command of [['admin', 'spend', 'show'], ['admin', 'spend', 'export'], ['usage']])
      expect(await call(...command, '--time-zone', 'Nowhere/City')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('time_zone'),
      });
  });

  it('export uses the days of a time zone and adds user names', async () => {
    const [kiritimati, niue] = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Niue'].map((zone) =>
        call('admin', 'spend', 'export', '--names', '--time-zone', zone),
      ),
    );
    const rows = (text: string) =>
      text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    for (const { stdout } of [kiritimati!, niue!]) {
      expect(rows(stdout)[0]).toEqual(['bucket', 'group_key', 'charge_count', 'charged_usd', 'user_name']);
      expect(rows(stdout)[1]?.slice(1)).toEqual([alice, '2', expect.stringMatching(/^0\.\d{9}$/), 'alice']);
    }
    // The two zones are 25 hours apart: the same moment has a different date in them.
    expect(rows(kiritimati!.stdout)[1]?.[0]).not.toBe(rows(niue!.stdout)[1]?.[0]);
  });

  it('export prints CSV, or writes a file that appears when it is complete', async () => {
    const { stdout } = await call('admin', 'spend', 'export', '--by', 'model,user', '--every', 'month');
    expect(stdout.split('\r\n')[0]).toBe('bucket,model,user,charge_count,charged_usd');
    expect(stdout).toContain(`gpt-6.2-sol,${alice},2,0.`);
    expect(
      await json('admin', 'spend', 'export', '--by', 'model,user', '--every', 'month', '-o', file('spend.csv')),
    ).toEqual({
      id: file('spend.csv'),
      status: 'written',
    });
    expect(readFileSync(file('spend.csv'), 'utf8')).toBe(stdout);
    expect((await call('admin', 'spend', 'export', '--by', 'user,user', '-o', file('none.csv'))).code).toBe(2);
    expect((await call('admin', 'spend', 'export', '-o', file('no/such/folder.csv'))).code).toBe(2);
    expect(existsSync(file('none.csv'))).toBe(false);
    expect(readdirSync(platform.gatehouse.home).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('export leaves no file after an incomplete response', async () => {
    const broken = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('bucket,group_key,charge_count,charged_usd\r\n');
      setTimeout(() => response.destroy(), 100);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => broken.once('listening', resolve));
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const ended = await call(
      'admin',
      'spend',
      'export',
      '--url',
      url,
      '--token-file',
      file('token'),
      '-o',
      file('half.csv'),
    );
    broken.close();
    broken.closeAllConnections();
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('ended too early') });
    expect(readdirSync(platform.gatehouse.home).filter((name) => name.startsWith('half.csv'))).toEqual([]);
  });
});

describe('the payer flags of money commands', () => {
  it.each([
    ['charges list', 'gatehouse admin usage list --user alice'],
    ['spend show', 'gatehouse admin spend export --by user'],
    ['spend export', 'gatehouse admin spend export --by user'],
    ['spend breakdown', 'gatehouse admin spend breakdown --user alice --by-group'],
  ])('of %s refuse --user and --group, and name the flags to use', async (command, byUser) => {
    const words = ['admin', ...command.split(' ')];
    const user = await call(...words, '--user', 'alice');
    expect([user.code, user.stdout]).toEqual([2, '']);
    expect(user.stderr).toContain('--user: is the user that made the requests');
    expect(user.stderr).toContain('--payer-user alice');
    expect(user.stderr).toContain(byUser);
    for (const more of [[], ['--payer-user', 'alice']]) {
      const group = await call(...words, '--group', 'engineers', ...more);
      expect([group.code, group.stdout]).toEqual([2, '']);
      expect(group.stderr).toContain('--payer-group engineers');
    }
    const { stdout: help } = await call(...words, '--help');
    const text = help.replaceAll(/\s+/g, ' ');
    expect(text).toContain('One payer pays all of a request: the budget of the user first');
    expect(text).not.toContain('--group=');
  });

  it('of spend breakdown accept --user only with --by-group and without a payer', async () => {
    const breakdown = ['admin', 'spend', 'breakdown', '--user', 'alice', '--by-group'];
    expect(await json(...breakdown)).toMatchObject({ subject_id: alice, dimension: 'group' });
    expect((await call(...breakdown, '--payer-user', 'alice')).code).toBe(2);
    expect((await call(...breakdown, '--payer-group', 'engineers')).code).toBe(2);
    expect((await call(...breakdown, '--group', 'engineers')).code).toBe(2);
  });
});

describe('the usage line of help', () => {
  it.each([
    ['admin charges list', '[--all | --limit <value>] [--ndjson] [-o <value>]'],
    ['admin usage list', '[--all | --limit <value>] [--ndjson] [-o <value>]'],
    [
      'admin spend breakdown',
      '[--payer-user <value> | --payer-group <value>] [--user <value>] [--period day|month|year] [--by-group]',
    ],
    ['admin budgets set', '[--user <value> | --group <value>] [--precedence <value>] [--allow-unknown]'],
    [
      'admin pricing set',
      '[--input <value>] [--output <value>] [--cached-input <value>] [--vendor anthropic|openai|google]',
    ],
    ['admin alerts update', '[--scope user|group] [--subject <value>]'],
  ])('of %s shows each flag separately', async (command, usage) => {
    const { stdout } = await call(...command.split(' '), '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(usage);
  });
});
