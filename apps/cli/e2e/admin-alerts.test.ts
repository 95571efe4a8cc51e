import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { waitForValue } from '@gatehouse/testing/eventually';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let alice: string;
let receiver: Server;
let status = 204;
const received: string[] = [];
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  alice = (await json<{ subject_id: string }>('admin', 'users', 'get', 'alice')).subject_id;
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await platform.stop();
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const url = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

interface Alert {
  id: string;
  name: string;
  thresholds: number[];
  enabled: boolean;
  scope?: string;
  subject_id?: string;
  periods?: string[];
}

describe('gatehouse admin alerts', () => {
  it('creates an alert with only its secret on stdout, changes, tests and deletes it', async () => {
    const create = ['admin', 'alerts', 'create', 'finance', '--to', url(), '--allow-private-ips'];
    const made = await call(
      ...create,
      '--thresholds',
      '100,80%',
      '--scope',
      'user',
      '--subject',
      'alice',
      '--period',
      'month',
    );
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/)]);
    expect(made.stderr).not.toContain(made.stdout.trim());
    const [alert] = await json<Alert[]>('admin', 'alerts', 'list');
    expect(alert).toMatchObject({
      ...{ name: 'finance', thresholds: [80, 100], enabled: true },
      ...{ scope: 'user', subject_id: alice, periods: ['month'] },
    });
    expect((await call('admin', 'alerts', 'list')).stdout).toMatch(/finance +user alice +month +80 %, 100 %/);
    expect(await json('admin', 'alerts', 'show', alert!.id)).toEqual(alert);

    const update = ['admin', 'alerts', 'update', 'finance'];
    expect(await json<Alert>(...update, '--subject', 'gone')).toMatchObject({ subject_id: 'gone' });
    expect(await json<Alert>(...update, '--subject', 'alice@example.test')).toMatchObject({ subject_id: alice });
    const changed = await json<Alert>(
      ...update,
      '--thresholds',
      '50',
      '--no-enabled',
      '--all-budgets',
      '--all-periods',
    );
    expect(changed).toMatchObject({ id: alert!.id, name: 'finance', thresholds: [50], enabled: false });
    expect(Object.keys(changed)).toEqual(expect.not.arrayContaining(['scope', 'subject_id', 'periods']));
    expect(await json<Alert>(...update, '--name', 'money')).toMatchObject({ name: 'money', enabled: false });

    const tried = await call('admin', 'alerts', 'test', 'money');
    expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('HTTP 204')]);
    status = 500;
    const failed = await call('admin', 'alerts', 'test', 'money');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('answers HTTP 500')]);
    status = 204;
    const deliveries = ['admin', 'alerts', 'deliveries', 'money'];
    const [last, first] = await json<{ id: string; state: string }[]>(...deliveries);
    expect([last!.state, first!.state]).toEqual(['failed', 'delivered']);
    expect(await json<unknown[]>(...deliveries, '--state', 'failed')).toHaveLength(1);
    expect((await call(...deliveries)).stdout).toContain('answers HTTP 500');
    expect(await json('admin', 'alerts', 'resend', 'money', last!.id)).toMatchObject({
      id: last!.id,
      state: 'pending',
    });
    await waitForValue(
      () => received.length,
      (count) => count >= 3,
    );
    expect(received).toEqual([first!.id, last!.id, last!.id]);

    const rotated = await call('admin', 'alerts', 'rotate-secret', 'money');
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
    expect(rotated.stdout).not.toBe(made.stdout);
    expect((await call('admin', 'alerts', 'delete', 'money')).code).toBe(2);
    expect(await json('admin', 'alerts', 'delete', 'money', '--yes')).toMatchObject({
      id: alert!.id,
      status: 'deleted',
    });
    expect((await call('admin', 'alerts', 'show', 'money')).code).toBe(1);
  });

  it.each([
    ['--thresholds', 'eighty'],
    ['--thresholds', '0'],
    ['--thresholds', '80,80'],
    ['--thresholds', '80', '--subject', 'alice'],
    ['--thresholds', '80', '--period', 'week'],
  ])('refuses %s %s %s %s', async (...flags) => {
    const { code, stdout, stderr } = await call(
      'admin',
      'alerts',
      'create',
      'wrong',
      '--to',
      'https://hooks.example.com/',
      ...flags,
    );
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^Error: /)]);
  });

  it('accepts the name of a group, and refuses an unknown group', async () => {
    const { id } = await json<{ id: string }>('admin', 'groups', 'create', 'Engineers');
    const create = ['admin', 'alerts', 'create', 'engineers', '--to', url(), '--allow-private-ips'];
    const watching = [...create, '--thresholds', '80', '--scope', 'group', '--subject'];
    expect(await json<Alert>(...watching, 'engineers')).toMatchObject({ scope: 'group', subject_id: id });
    const { code, stdout, stderr } = await call(...watching, 'unknown');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('There is no group "unknown"')]);
  });

  it('refuses a target with a forbidden address', async () => {
    const { code, stderr } = await call(
      'admin',
      'alerts',
      'create',
      'wrong',
      '--to',
      'https://10.0.0.1/',
      '--thresholds',
      '80',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('private address')]);
  });
});

const pricing = (...args: string[]): Promise<Ended> => platform.gatehouse.call(['admin', 'pricing', ...args]);
const priceJson = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>('admin', 'pricing', ...args);
const feedPrices = (text: string, ...args: string[]): Promise<Ended> =>
  platform.gatehouse.begin(['admin', 'pricing', ...args], {}, text).ended;

interface Entry {
  provider: string;
  model: string;
}
interface Catalog {
  effective_from: string;
  spec: { entries: Entry[] };
}
interface Version {
  id: string;
  state: string;
  source: string;
  effective_from: string;
}

describe('gatehouse admin pricing', () => {
  it('shows all prices, those of a provider and a single one, as a table and as JSON', async () => {
    const { stdout, stderr } = await pricing('show');
    expect(stdout.split('\n')[0]).toMatch(/^PROVIDER +MODEL +INPUT +CACHED INPUT +OUTPUT +UNIT +LONG PROMPTS$/);
    expect(stderr).toMatch(/^in effect since \S+; ETag "\S+"\n$/);
    const { spec } = await priceJson<Catalog>('show');
    const [models = '', tools = ''] = stdout.trim().split('\n\n');
    expect(models.split('\n')).toHaveLength(spec.entries.length + 1);
    expect(
      models
        .split('\n')
        .slice(1)
        .every((line) => line.includes('USD per million tokens')),
    ).toBe(true);
    expect(tools).toMatch(/^VENDOR +TOOL +PRICE +UNIT$/m);
    expect(tools).toMatch(/^openai +webSearch +\$\d+ +USD per thousand calls$/m);
    const google = await priceJson<Entry[]>('show', 'google');
    expect(new Set(google.map(({ provider }) => provider))).toEqual(new Set(['google']));
    const { provider, model } = google[0]!;
    expect(await priceJson('show', provider, model)).toEqual(google[0]);
    expect((await pricing('show', provider, model)).stdout).toMatch(
      /^unit +USD per million tokens\n(.*\n)*inputUsdPerMillion +\d/m,
    );
    // The help has colours if the terminal of the tests supports them.
    const help = stripVTControlCharacters((await pricing('set', '--help')).stdout);
    expect(help).toMatch(/--input=<value> +USD per million tokens/);
    const [version] = await priceJson<Version[]>('versions');
    expect(version).toMatchObject({ source: 'baseline', state: 'in_effect' });
    expect((await priceJson<Catalog>('show', '--catalog', version!.id)).spec).toEqual(spec);
    expect((await pricing('versions')).stdout).toMatch(/^EFFECTIVE FROM +STATE +SOURCE +MODELS +WRITTEN +BY +ID$/m);
  });

  it('asks for confirmation before the first write, which replaces the prices of releases', async () => {
    const set = ['set', 'openai', 'org/first', '--input', '1', '--output', '2'];
    expect(await pricing(...set)).toMatchObject({ code: 2, stderr: expect.stringContaining('permanently') });
    const { stdout } = await pricing('show', '--json');
    const from = '2099-01-01T00:00:00Z';
    expect(await feedPrices(stdout, 'stage', '--from', from)).toMatchObject({ code: 2 });
    expect(await priceJson<Version[]>('versions')).toMatchObject([{ source: 'baseline' }]);
    expect(await pricing(...set, '--yes')).toMatchObject({ code: 0 });
    expect(await pricing(...set)).toMatchObject({ code: 0 });
  });

  it('sets one price with flags and with a file, and deletes it', async () => {
    const set = await pricing('set', 'openai', 'org/new', '--input', '1.25', '--cached-input', '0.5', '--output', '10');
    expect(set).toEqual({ code: 0, stdout: '', stderr: 'The price of openai/org/new is set\n' });
    expect(await priceJson('show', 'openai', 'org/new')).toEqual({
      ...{ provider: 'openai', model: 'org/new' },
      openai: { inputUsdPerMillion: '1.25', cachedInputUsdPerMillion: '0.5', outputUsdPerMillion: '10' },
    });
    const block = '{"google": {"inputUsdPerMillion": "3", "outputUsdPerMillion": "4"}}';
    expect(await feedPrices(block, 'set', 'proxy', 'org/new')).toMatchObject({ code: 0, stdout: '' });
    expect((await pricing('set', 'proxy', 'other', '--input', '1', '--output', '2')).stderr).toContain(
      '--vendor openai',
    );
    expect(
      (await pricing('set', 'proxy', 'other', '--input', '1', '--output', '2', '--vendor', 'anthropic')).code,
    ).toBe(0);
    expect((await pricing('show', 'proxy')).stdout).toMatch(
      /^proxy +org\/new +\$3 +- +\$4 +USD per million tokens +-$/m,
    );
    expect((await pricing('delete', 'openai', 'org/new')).code).toBe(2);
    expect(await priceJson('delete', 'openai', 'org/new', '--yes')).toEqual({
      id: 'openai/org/new',
      status: 'deleted',
    });
    expect(await pricing('delete', 'openai', 'org/new', '--yes')).toMatchObject({ code: 1, stdout: '' });
    expect(await pricing('show', 'openai', 'org/new')).toMatchObject({ code: 1, stdout: '' });
  });

  it('writes a whole catalog unchanged, and does not overwrite a concurrent change', async () => {
    const shown = await pricing('show', '--json');
    const etag = /ETag (\S+)/.exec(shown.stderr)?.[1] ?? '';
    expect((await feedPrices(shown.stdout, 'set')).code).toBe(2);
    expect(await feedPrices(shown.stdout, 'set', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('models are priced'),
    });
    expect(await feedPrices(shown.stdout, 'set', '--yes', '--if-match', etag)).toMatchObject({ code: 4, stdout: '' });
    // The shown catalog contains the time of the earlier version.
    expect(await feedPrices(shown.stdout, 'set', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('effective_from'),
    });
  });

  it('stages a catalog, refuses other writes until it is unstaged', async () => {
    const { stdout } = await pricing('show', '--json');
    const from = '2099-01-01T00:00:00Z';
    const staged = await feedPrices(stdout, 'stage', '--from', from, '--json');
    expect(JSON.parse(staged.stdout)).toMatchObject({ status: 'staged' });
    expect(await pricing('set', 'openai', 'x', '--input', '1', '--output', '2')).toMatchObject({ code: 4 });
    expect((await priceJson<Version[]>('versions'))[0]?.state).toBe('staged');
    expect(await priceJson('unstage', '--yes')).toEqual({ id: '2099-01-01T00:00:00.000Z', status: 'deleted' });
    expect(await pricing('unstage', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('is staged') });
    expect(await pricing('unstage', from, '--yes')).toMatchObject({ code: 1 });
  });

  it.each([
    [['set'], '[]', 2, 'must be a JSON object'],
    [['set', 'openai'], '{}', 2, 'Give the provider and the model'],
    [['set', '--input', '1', '--output', '2'], '{}', 2, 'Give the provider and the model'],
    [['set', 'openai', 'm', '--input', '1'], '', 2, '--output'],
    [['set', 'openai', 'm', '--input', '1e3', '--output', '2'], '', 2, 'openai.inputUsdPerMillion'],
    [['set', 'openai', 'm'], '{"openai":{"inputUsdPerMillion":"1"}}', 2, 'openai.outputUsdPerMillion'],
    [['set', '--yes'], '{"spec":{"entries":[{"provider":"a","model":"b"}]}}', 2, 'spec.entries[0]'],
    [['stage'], '{}', 2, '--from'],
    [['stage', '--from', 'tomorrow'], '{"spec":{"entries":[]}}', 2, 'effective_from'],
    [['unstage', 'tomorrow', '--yes'], '', 2, 'effectiveFrom'],
    [['show', '--catalog', 'x'], '', 2, 'id: must be a UUID'],
    [['show', '--catalog', '01890000-0000-7000-8000-000000000000'], '', 1, 'no such pricing catalog version'],
  ])('%j with %j: exit code %d', async (args, text, exit, sentence) => {
    const { code, stdout, stderr } = await feedPrices(text, ...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
