import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effort } from '@gatehouse/testing/effort';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const feed = (text: string, ...args: string[]): Promise<Ended> => platform.gatehouse.begin(args, {}, text).ended;
const budgets = ['admin', 'budgets'];

interface Spec {
  scope: string;
  subject_id: string;
  limit_usd: string;
  period: string;
  precedence?: number;
}
const list = () => json<{ budgets: Spec[] }>(...budgets, 'list');
const etag = async () => /ETag (".*")/.exec((await call(...budgets, 'list')).stderr)?.[1] ?? '';

describe('gatehouse admin budgets', () => {
  it('sets, shows and deletes budgets of users and groups', async () => {
    expect(await call(...budgets, 'list')).toMatchObject({ code: 0, stdout: '' });
    const { id } = await json<{ id: string }>('admin', 'groups', 'create', 'Researchers');
    const set = [...budgets, 'set'];
    expect(
      await call(...set, '--user', 'corp/ann', '--allow-unknown', '--limit', '12.50', '--period', 'day'),
    ).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('The budget of corp/ann is $12.50 in each day'),
    });
    const group = ['--group', 'researchers', '--limit', '500', '--period', 'month', '--precedence', '10'];
    expect(await json(...set, ...group)).toEqual({ id, status: 'set' });
    expect((await list()).budgets).toEqual([
      { scope: 'group', subject_id: id, limit_usd: '500.000000000', period: 'month', precedence: 10 },
      { scope: 'user', subject_id: 'corp/ann', limit_usd: '12.500000000', period: 'day' },
    ]);
    const { stdout } = await call(...budgets, 'list');
    expect(stdout).toMatch(/^group +Researchers +month +\$500\.00 +10$/m);
    expect(stdout).toMatch(/^user +corp\/ann +day +\$12\.50 +-$/m);
    const cells = await json<{ subject_id: string; used_usd: string; ordinal: number }[]>(...budgets, 'cells');
    expect(cells).toMatchObject([
      { subject_id: id, used_usd: '0.000000000', ordinal: 2 },
      { subject_id: 'corp/ann', ordinal: 1 },
    ]);
    expect((await call(...budgets, 'cells')).stdout).toMatch(/USED USD +RESERVED USD +LIMIT USD +REMAINING USD$/m);
    expect((await call(...budgets, 'set', '--help')).stdout).toMatch(/groups pay after it/);
    expect(await json(...budgets, 'denials', '--user', 'alice', '--reason', 'no_budget', '--from', '24h')).toEqual([]);
    expect(await call(...budgets, 'denials')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching('No refused requests'),
    });
    expect((await call(...budgets, 'cells', '--scope', 'group')).stdout).toMatch(/^group +Researchers +month /m);
    expect((await call(...budgets, 'cells', '--scope', 'user', '--at', '24h')).stdout).toMatch(
      /corp\/ann +day +\d{4}-/,
    );
    expect((await call(...budgets, 'cells', '--subject', 'unknown')).stderr).toContain('No budgets');
    expect((await call(...budgets, 'delete', '--user', 'corp/ann')).code).toBe(2);
    expect(await json(...budgets, 'delete', '--user', 'corp/ann', '--yes')).toEqual({
      id: 'corp/ann',
      status: 'deleted',
    });
    expect((await call(...budgets, 'delete', '--user', 'corp/ann', '--yes')).code).toBe(1);
    expect((await call(...budgets, 'delete', '--group', 'Researchers', '--yes')).code).toBe(0);
    expect((await list()).budgets).toEqual([]);
  });

  it('sets the budget of a user by any name, and refuses an unknown user', async () => {
    const set = [...budgets, 'set', '--limit', '20', '--period', 'month'];
    const { subject_id, id, email } = await json<Record<string, string>>('admin', 'users', 'get', 'alice');
    expect(subject_id).toBeDefined();
    for (const name of ['alice', 'ALICE', id!, email!, subject_id!]) {
      expect(await json(...set, '--user', name)).toEqual({ id: subject_id, status: 'set' });
      expect((await list()).budgets).toEqual([
        { scope: 'user', subject_id, limit_usd: '20.000000000', period: 'month' },
      ]);
      expect(await json(...budgets, 'delete', '--user', name, '--yes')).toEqual({ id: subject_id, status: 'deleted' });
    }
    for (const name of ['alcie', '11111111-1111-4111-8111-111111111111', 'corp/alice']) {
      expect(await call(...set, '--user', name)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`The directory has no user "${name}"[^]*--allow-unknown`)),
      });
    }
    expect((await list()).budgets).toEqual([]);
    expect((await call(...set, '--group', 'x', '--allow-unknown')).code).toBe(2);
  });

  it('exports and imports the collection, but does not overwrite a concurrent change', async () => {
    const replace = [...budgets, 'replace', '--yes'];
    const two = ['subject-a', 'subject-b'].map((subject_id) => ({
      scope: 'user',
      subject_id,
      limit_usd: '3',
      period: 'year',
    }));
    expect((await feed(JSON.stringify({ budgets: two }), ...replace)).code).toBe(0);
    const [exported, tag] = [(await call(...budgets, 'list', '--json')).stdout, await etag()];
    const file = join(platform.gatehouse.home, 'budgets.json');
    writeFileSync(file, exported);
    expect((await call(...replace, '--file', file, '--if-match', tag)).code).toBe(0);
    expect(await etag()).toBe(tag);
    const set = [...budgets, 'set', '--limit', '4', '--period', 'year', '--allow-unknown'];
    await call(...set, '--user', 'subject-b');
    expect(await call(...replace, '--file', file, '--if-match', tag)).toMatchObject({ code: 4, stdout: '' });
    expect((await list()).budgets.map(({ limit_usd }) => limit_usd)).toEqual(['3.000000000', '4.000000000']);
    expect((await call(...set, '--user', 'x', '--if-match', tag)).code).toBe(4);
    expect((await call(...budgets, 'delete', '--user', 'subject-b', '--yes', '--if-match', tag)).code).toBe(4);
    expect((await call(...budgets, 'replace', '--file', file)).code).toBe(2);
    // A collection can be larger than other documents.
    const count = effort > 1 ? 20_000 : 5_000;
    const many = Array.from({ length: count }, (_, n) => ({ ...two[0], subject_id: `${'x'.repeat(180)}-${n}` }));
    const large = JSON.stringify({ budgets: many });
    expect(large.length).toBeGreaterThan(1024 * 1024);
    expect((await feed(large, ...replace)).code).toBe(0);
    expect((await list()).budgets).toHaveLength(count);
    const table = await call(...budgets, 'list');
    expect(table.stderr).toContain('Names are shown for the first 200 users and groups, and ids for the others');
    expect(table.stdout).toMatch(new RegExp(`^user +${many.at(-1)?.subject_id} `, 'm'));
    expect((await feed(large + ' '.repeat(8 * 1024 * 1024), ...replace)).stderr).toContain('8 MiB');
    expect((await feed('{"budgets":[]}', ...replace)).code).toBe(0);
  }, 240_000);

  it('sets, shows and deletes the default budget', async () => {
    const command = [...budgets, 'default'];
    expect((await call(...command, 'get')).code).toBe(1);
    expect((await call(...command, 'set', '--limit', '7.5', '--period', 'day')).code).toBe(0);
    expect(await json(...command, 'get')).toEqual({ limit_usd: '7.500000000', period: 'day' });
    expect((await call(...command, 'delete')).code).toBe(2);
    const tag = /^ETag (".*")$/m.exec((await call(...command, 'get')).stderr)?.[1] ?? '';
    const set = [...command, 'set', '--limit', '8', '--period', 'day', '--if-match'];
    expect((await call(...set, tag)).code).toBe(0);
    expect(await call(...set, tag)).toMatchObject({ code: 4, stdout: '' });
    expect(await call(...command, 'delete', '--yes', '--if-match', tag)).toMatchObject({ code: 4, stdout: '' });
    expect((await json<{ limit_usd: string }>(...command, 'get')).limit_usd).toBe('8.000000000');
    expect(await json(...command, 'delete', '--yes')).toEqual({ id: 'default', status: 'deleted' });
    expect((await call(...command, 'get')).code).toBe(1);
  });

  it.each([
    [['set', '--limit', '1', '--period', 'day'], '--user'],
    [['set', '--user', 'a', '--group', 'b', '--limit', '1', '--period', 'day'], '--group'],
    [['set', '--user', 'a', '--period', 'day'], 'limit'],
    [['set', '--user', 'alice', '--limit', '1e3', '--period', 'day'], 'limit_usd'],
    [['set', '--user', 'alice', '--limit', '1', '--period', 'week'], 'period'],
    [['set', '--user', 'alice', '--limit', '1', '--period', 'day', '--precedence', '1'], 'precedence'],
    [['set', '--group', 'unknown', '--limit', '1', '--period', 'day'], 'no group "unknown"'],
    [['set', '--user', 'alice', '--limit', '1', '--period', 'day', '--if-match', 'x'], 'If-Match'],
    [['cells', '--at', 'soon'], '--at'],
    [['default', 'set', '--limit', '-1', '--period', 'day'], 'limit'],
  ])('refuses %j and names %s', async (args, word) => {
    const { code, stdout, stderr } = await call(...budgets, ...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(word);
  });

  it.each(['', '[]', '{', '{"budgets":{}}', '{"budgets":[{"scope":"user"}]}', '{"budgets":[],"more":1}'])(
    'a collection %j changes nothing',
    async (text) => {
      expect(await feed(text, ...budgets, 'replace', '--yes')).toMatchObject({ code: 2, stdout: '' });
      expect((await list()).budgets).toEqual([]);
    },
  );
});

describe('gatehouse usage', () => {
  it('prints own budgets and a line for each day without a terminal', async () => {
    await call(...budgets, 'default', 'set', '--limit', '20', '--period', 'month');
    const { code, stdout, stderr } = await call('usage');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^budget {2}you \(default\) {2}month {2}used \$0\.00 of \$20\.00 {2}remaining \$20\.00 {2}reserved \$0\.00 {2}until \d{4}-\d\d-01$/,
    );
    expect(lines.slice(1)).toHaveLength(30);
    for (const line of lines.slice(1)) expect(line).toMatch(/^spent {2}\d{4}-\d\d-\d\d {2}\$0\.00$/);
  });

  it('prints JSON, and filters by range and model', async () => {
    const from = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const usage = await json<{ budgets: { budgets: object[] }; spend: { from: string; buckets: object[] } }>(
      ...['usage', '--from', from, '--model', 'claude-opus-5'],
    );
    expect(usage.spend.from).toBe(from);
    expect(usage.spend.buckets).toHaveLength(3);
    expect(usage.budgets.budgets).toHaveLength(1);
    expect(await call('usage', '--from', 'yesterday')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('from'),
    });
  });
});
