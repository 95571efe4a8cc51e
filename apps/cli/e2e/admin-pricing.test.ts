import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { stripVTControlCharacters } from 'node:util';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(() => platform.stop());

const pricing = (...args: string[]): Promise<Ended> => platform.gatehouse.call(['admin', 'pricing', ...args]);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>('admin', 'pricing', ...args);
const feed = (text: string, ...args: string[]): Promise<Ended> =>
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
    const { spec } = await json<Catalog>('show');
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
    const google = await json<Entry[]>('show', 'google');
    expect(new Set(google.map(({ provider }) => provider))).toEqual(new Set(['google']));
    const { provider, model } = google[0]!;
    expect(await json('show', provider, model)).toEqual(google[0]);
    expect((await pricing('show', provider, model)).stdout).toMatch(
      /^unit +USD per million tokens\n(.*\n)*inputUsdPerMillion +\d/m,
    );
    // The help has colours if the terminal of the tests supports them.
    const help = stripVTControlCharacters((await pricing('set', '--help')).stdout);
    expect(help).toMatch(/--input=<value> +USD per million tokens/);
    const [version] = await json<Version[]>('versions');
    expect(version).toMatchObject({ source: 'baseline', state: 'in_effect' });
    expect((await json<Catalog>('show', '--catalog', version!.id)).spec).toEqual(spec);
    expect((await pricing('versions')).stdout).toMatch(/^EFFECTIVE FROM +STATE +SOURCE +MODELS +WRITTEN +BY +ID$/m);
  });

  it('asks before the first write, which replaces the prices of releases', async () => {
    const set = ['set', 'openai', 'org/first', '--input', '1', '--output', '2'];
    expect(await pricing(...set)).toMatchObject({ code: 2, stderr: expect.stringContaining('permanently') });
    const { stdout } = await pricing('show', '--json');
    const from = '2099-01-01T00:00:00Z';
    expect(await feed(stdout, 'stage', '--from', from)).toMatchObject({ code: 2 });
    expect(await json<Version[]>('versions')).toMatchObject([{ source: 'baseline' }]);
    expect(await pricing(...set, '--yes')).toMatchObject({ code: 0 });
    expect(await pricing(...set)).toMatchObject({ code: 0 });
  });

  it('sets one price with flags and with a file, and deletes it', async () => {
    const set = await pricing('set', 'openai', 'org/new', '--input', '1.25', '--cached-input', '0.5', '--output', '10');
    expect(set).toEqual({ code: 0, stdout: '', stderr: 'The price of openai/org/new is set\n' });
    expect(await json('show', 'openai', 'org/new')).toEqual({
      ...{ provider: 'openai', model: 'org/new' },
      openai: { inputUsdPerMillion: '1.25', cachedInputUsdPerMillion: '0.5', outputUsdPerMillion: '10' },
    });
    const block = '{"google": {"inputUsdPerMillion": "3", "outputUsdPerMillion": "4"}}';
    expect(await feed(block, 'set', 'proxy', 'org/new')).toMatchObject({ code: 0, stdout: '' });
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
    expect(await json('delete', 'openai', 'org/new', '--yes')).toEqual({ id: 'openai/org/new', status: 'deleted' });
    expect(await pricing('delete', 'openai', 'org/new', '--yes')).toMatchObject({ code: 1, stdout: '' });
    expect(await pricing('show', 'openai', 'org/new')).toMatchObject({ code: 1, stdout: '' });
  });

  it('writes a whole catalog unchanged, and does not overwrite a concurrent change', async () => {
    const shown = await pricing('show', '--json');
    const etag = /ETag (\S+)/.exec(shown.stderr)?.[1] ?? '';
    expect((await feed(shown.stdout, 'set')).code).toBe(2);
    expect(await feed(shown.stdout, 'set', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('models are priced'),
    });
    expect(await feed(shown.stdout, 'set', '--yes', '--if-match', etag)).toMatchObject({ code: 4, stdout: '' });
    // The shown catalog contains the time of the earlier version.
    expect(await feed(shown.stdout, 'set', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('effective_from'),
    });
  });

  it('stages a catalog, refuses other writes until it is unstaged', async () => {
    const { stdout } = await pricing('show', '--json');
    const from = '2099-01-01T00:00:00Z';
    const staged = await feed(stdout, 'stage', '--from', from, '--json');
    expect(JSON.parse(staged.stdout)).toMatchObject({ status: 'staged' });
    expect(await pricing('set', 'openai', 'x', '--input', '1', '--output', '2')).toMatchObject({ code: 4 });
    expect((await json<Version[]>('versions'))[0]?.state).toBe('staged');
    expect(await json('unstage', '--yes')).toEqual({ id: '2099-01-01T00:00:00.000Z', status: 'deleted' });
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
    const { code, stdout, stderr } = await feed(text, ...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
