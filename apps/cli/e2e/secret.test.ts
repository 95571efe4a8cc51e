import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Gatehouse } from './gatehouse.ts';
import { storeWorkload } from './stored-workload.ts';

const VALUE = 'canary-value-5d1f';
const PASSWORD = 'canary-password-77aa';
const PASSWORD_VARIABLE = { GATEHOUSE_SECRETS_PASSWORD: PASSWORD };

let gatehouse: Gatehouse;
beforeEach(() => {
  gatehouse = new Gatehouse();
});
afterEach(() => rmSync(gatehouse.home, { recursive: true, force: true }));

/** Runs a `secret` command with a variable for the password. */
const secret = (args: string[], env: NodeJS.ProcessEnv = PASSWORD_VARIABLE, input?: string): Promise<Ended> =>
  gatehouse.begin(['secret', ...args], env, input).ended;
const setUp = () => secret(['setup']);
const file = () => join(gatehouse.home, 'secret-store', 'encrypted.json');

describe('gatehouse secret', () => {
  it('stores, prints, lists, replaces and deletes secrets without a terminal', async () => {
    expect(await setUp()).toMatchObject({ code: 0, stdout: '' });
    expect(await secret(['set', 'b'], undefined, `${VALUE}\n`)).toMatchObject({
      code: 0,
      stderr: 'The secret b is stored\n',
    });
    expect(await secret(['set', 'a', '--json'], undefined, 'line one\nline two\n\n')).toMatchObject({ code: 0 });
    expect((await secret(['get', 'b'])).stdout).toBe(`${VALUE}\n`);
    expect((await secret(['get', 'a', '--json'])).stdout).toBe(
      `${JSON.stringify({ name: 'a', value: 'line one\nline two\n' }, null, 2)}\n`,
    );
    expect((await secret(['list'])).stdout).toBe('NAME\na\nb\n');
    expect(JSON.parse((await secret(['list', '--json'])).stdout)).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect((await secret(['set', 'b'], undefined, 'other')).stderr).toBe('The secret b is replaced\n');
    expect(await secret(['delete', 'b'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await secret(['delete', 'b', '--yes'])).toMatchObject({ code: 0, stderr: 'The secret b is deleted\n' });
    expect(await secret(['delete', 'b', '--yes'])).toMatchObject({ code: 1 });
    expect(await secret(['get', 'b'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('removes the client secrets of removed workloads that no other workload uses', async () => {
    await setUp();
    for (const name of ['one', 'two', 'three']) {
      await secret(['set', `OIDC_CLIENT_SECRET_${name}`], undefined, VALUE);
      const stored = name === 'three' ? 'two' : name;
      storeWorkload(gatehouse.home, name, {
        ...{ engine: 'remote', remote_url: 'https://mcp.example.com' },
        oidc_config: { Issuer: 'https://id.example.com', ClientSecret: `OIDC_CLIENT_SECRET_${stored},target=oidc` },
      });
    }
    const list = async () => (await secret(['list'])).stdout.trim().split('\n').slice(1);
    const three = 'OIDC_CLIENT_SECRET_three';
    expect(await gatehouse.call(['rm', 'one', 'two'], PASSWORD_VARIABLE)).toMatchObject({ code: 0, stderr: '' });
    expect(await list()).toEqual([three, 'OIDC_CLIENT_SECRET_two']);

    storeWorkload(gatehouse.home, 'two', { engine: 'remote', oidc_config: { ClientSecret: `${three},target=oidc` } });
    storeWorkload(gatehouse.home, 'three', { engine: 'remote', oidc_config: { ClientSecret: `${three},target=oidc` } });
    expect(await gatehouse.call(['rm', '--all', '--yes'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Try: gatehouse secret delete ${three}`),
    });
    expect(await list()).toEqual([three, 'OIDC_CLIENT_SECRET_two']);
  });

  it('says how to begin before a setup', async () => {
    const { code, stderr } = await secret(['list']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Try: gatehouse secret setup')]);
  });

  it('is set up with a key file that it creates, and needs no variable then', async () => {
    const keyFile = join(gatehouse.home, 'my key');
    const setup = await secret(['setup', '--key-file', keyFile, '--json'], {});
    expect(JSON.parse(setup.stdout)).toMatchObject({ status: 'created', password_storage: 'key-file', file: file() });
    await secret(['set', 'a'], {}, VALUE);
    expect((await secret(['get', 'a'], {})).stdout).toBe(`${VALUE}\n`);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    rmSync(keyFile);
    expect(await secret(['get', 'a'], {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The key file ${keyFile} cannot be read: it does not exist`),
    });
  });

  it('tells a wrong password, a damaged file and a newer version apart', async () => {
    await setUp();
    await secret(['set', 'a'], undefined, VALUE);
    const text = readFileSync(file(), 'utf8');
    const sentences = [(await secret(['get', 'a'], { GATEHOUSE_SECRETS_PASSWORD: 'another password' })).stderr];
    for (const changed of [text.slice(0, 100), '{"gatehouse_secrets":2}']) {
      writeFileSync(file(), changed);
      sentences.push((await secret(['get', 'a'])).stderr);
    }
    expect(sentences[0]).toContain('The password in GATEHOUSE_SECRETS_PASSWORD does not open');
    expect(sentences[1]).toContain('are damaged: it is not complete');
    expect(sentences[2]).toContain('A newer gatehouse wrote');
    expect(sentences.join('\n')).not.toContain(VALUE);
  });

  it('changes the password, and refuses to choose another storage without that', async () => {
    await setUp();
    await secret(['set', 'a'], undefined, VALUE);
    const keyFile = join(gatehouse.home, 'key');
    expect(await secret(['setup', '--password-storage', 'prompt'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--change-password'),
    });
    expect(await secret(['setup', '--change-password', '--key-file', keyFile])).toMatchObject({ code: 0 });
    expect((await secret(['get', 'a'], {})).stdout).toBe(`${VALUE}\n`);
    expect(await secret(['get', 'a'])).toMatchObject({ code: 1 });
    const changed = { GATEHOUSE_SECRETS_NEW_PASSWORD: PASSWORD };
    expect(await secret(['setup', '--change-password'], changed)).toMatchObject({ code: 0 });
    expect((await secret(['get', 'a'])).stdout).toBe(`${VALUE}\n`);
  });

  it('reads the environment, as a provider and as a fallback', async () => {
    const env = { GATEHOUSE_SECRET_a: VALUE };
    const chosen = { ...env, GATEHOUSE_SECRETS_PROVIDER: 'environment' };
    expect((await secret(['get', 'a'], chosen)).stdout).toBe(`${VALUE}\n`);
    expect(await secret(['set', 'a'], chosen, 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set the environment variable GATEHOUSE_SECRET_a'),
    });
    expect(await secret(['list'], chosen)).toMatchObject({ code: 2 });
    await setUp();
    expect((await secret(['get', 'a'], { ...env, ...PASSWORD_VARIABLE })).stdout).toBe(`${VALUE}\n`);
    const off = { ...env, ...PASSWORD_VARIABLE, GATEHOUSE_DISABLE_ENV_FALLBACK: 'true' };
    expect(await secret(['get', 'a'], off)).toMatchObject({ code: 1 });
  });

  it.each([
    ['set', ['set', 'a,b'], 'has a comma in its name'],
    ['get', ['get', '__gatehouse_x'], 'is reserved for Gatehouse itself'],
    ['setup', ['setup', '--provider', 'vault'], '--provider'],
    ['setup', ['setup', '--provider', '1password', '--key-file', 'x'], 'cannot be used with --provider 1password'],
    ['setup', ['setup', '--key-fil', 'x'], '--key-file   instead of --key-fil'],
    ['set', ['set', 'a', VALUE], 'cannot be an argument'],
  ])('refuses wrong input of %s: %j', async (_, args, sentence) => {
    const { code, stderr } = await secret(args, undefined, 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(stderr).not.toContain(VALUE);
    expect(readdirSync(gatehouse.home)).toEqual([]);
  });

  it('refuses an unknown provider of the variable', async () => {
    expect(await secret(['list'], { GATEHOUSE_SECRETS_PROVIDER: 'vault' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('GATEHOUSE_SECRETS_PROVIDER must name a provider'),
    });
  });
});

describe('the value and the password of a secret', () => {
  it('are in no argument of a process, no file and no message', async () => {
    await setUp();
    const setting = gatehouse.begin(['secret', 'set', 'a', '--debug'], PASSWORD_VARIABLE, VALUE);
    const lines = new Set<string>();
    const watch = setInterval(() => {
      for (const line of readCommandLines()) lines.add(line);
    }, 5);
    const outputs = [await setting.ended];
    clearInterval(watch);
    expect([...lines].some((line) => line.includes('secret set a'))).toBe(true);
    outputs.push(await secret(['list', '--json', '--debug']));
    outputs.push(await secret(['get', 'missing', '--debug']));
    outputs.push(await secret(['get', 'a', '--debug'], { GATEHOUSE_SECRETS_PASSWORD: `${PASSWORD}x` }));
    outputs.push(await secret(['setup', '--change-password', '--debug']));
    const texts = [
      ...lines,
      ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
      ...readFiles(gatehouse.home),
    ];
    for (const canary of [VALUE, PASSWORD]) {
      for (const form of [canary, Buffer.from(canary).toString('base64url'), Buffer.from(canary).toString('hex')]) {
        expect(texts.filter((text) => text.includes(form))).toEqual([]);
      }
    }
  });
});

/** The command lines of all processes. */
function readCommandLines(): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });
}

/** The texts of all files below a folder. */
function readFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
