import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keyring } from '../keyring.ts';
import { EncryptedSecrets } from './encrypted-secrets.ts';
import type { PasswordSources } from './find-password.ts';
import { createKeyFile } from './key-file.ts';

/** A keyring in memory, with a lock. */
class MemoryKeyring implements Keyring {
  readonly entries = new Map<string, string>();
  isLocked = false;

  read(account: string): string | undefined {
    this.#check();
    return this.entries.get(account);
  }
  write(account: string, secret: string): void {
    this.#check();
    this.entries.set(account, secret);
  }
  remove(account: string): void {
    this.#check();
    this.entries.delete(account);
  }
  #check(): void {
    if (this.isLocked) throw new Error('locked');
  }
}

const PASSWORD = 'correct horse';
let folder: string;
let keyring: MemoryKeyring;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  keyring = new MemoryKeyring();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (sources: Partial<PasswordSources> = {}): EncryptedSecrets =>
  new EncryptedSecrets(join(folder, 'store'), {
    password: undefined,
    passwordFile: undefined,
    keyring: () => Promise.resolve(keyring),
    ask: undefined,
    ...sources,
  });
const headless = () => open({ password: PASSWORD });

describe('EncryptedSecrets', () => {
  it('stores, lists, replaces and deletes secrets in a private file', async () => {
    await headless().create({ text: PASSWORD, storage: 'environment' });
    expect(await headless().set('b', '1')).toBe(true);
    expect(await headless().set('a', '2')).toBe(true);
    expect(await headless().set('b', '3')).toBe(false);
    expect([await headless().list(), await headless().get('b')]).toEqual([['a', 'b'], '3']);
    expect([await headless().delete('b'), await headless().delete('b')]).toEqual([true, false]);
    expect(await headless().get('b')).toBeUndefined();
    expect(statSync(headless().path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'store')).mode & 0o777).toBe(0o700);
  });

  it('is not set up without a file, and is created once', async () => {
    await expect(headless().get('a')).rejects.toMatchObject({ code: 'secrets_not_set_up' });
    await headless().create({ text: PASSWORD, storage: 'environment' });
    const again = headless().create({ text: PASSWORD, storage: 'environment' });
    await expect(again).rejects.toMatchObject({ code: 'secrets_set_up_already' });
  });

  it('refuses a short password', async () => {
    const created = headless().create({ text: 'seven77', storage: 'prompt' });
    await expect(created).rejects.toMatchObject({ code: 'secrets_password_too_short' });
    expect(headless().exists()).toBe(false);
  });

  it('refuses a value beyond 32 MiB, and keeps the others', async () => {
    await headless().create({ text: PASSWORD, storage: 'environment' });
    await headless().set('a', '1');
    const stored = headless().set('b', 'x'.repeat(25 * 1024 * 1024));
    await expect(stored).rejects.toMatchObject({ code: 'secrets_too_large' });
    expect(await headless().list()).toEqual(['a']);
    truncateSync(headless().path, 33 * 1024 * 1024);
    await expect(headless().list()).rejects.toMatchObject({ code: 'secrets_too_large' });
  });
});

describe('the password', () => {
  it('comes from the variable, then the file, then the storage of setup, then the terminal', async () => {
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${PASSWORD}\n`);
    await open().create({ text: PASSWORD, storage: 'keyring' });
    const ask = () => Promise.resolve(PASSWORD);
    const wrong = () => Promise.resolve('wrong answer');
    expect(await open({ password: PASSWORD, passwordFile: '/nowhere', ask: wrong }).list()).toEqual([]);
    expect(await open({ passwordFile: keyFile, ask: wrong }).list()).toEqual([]);
    expect(await open({ ask: wrong }).list()).toEqual([]);
    keyring.isLocked = true;
    expect(await open({ ask }).list()).toEqual([]);
    await expect(open().list()).rejects.toMatchObject({
      code: 'secrets_password_missing',
      message: expect.stringContaining('the keyring does not give it'),
    });
  });

  it.each([
    [{ password: 'another one' }, 'in GATEHOUSE_SECRETS_PASSWORD'],
    [{ ask: () => Promise.resolve('another one') }, 'you typed'],
  ])('that is wrong is named by where it came from (%j)', async (sources, origin) => {
    await open().create({ text: PASSWORD, storage: 'prompt' });
    await expect(open(sources).list()).rejects.toMatchObject({
      code: 'secrets_password_wrong',
      message: expect.stringContaining(`The password ${origin} does not open`),
    });
  });

  it('of a key file has 256 random bits, and its file is not created twice', () => {
    const keyFile = join(folder, 'keys', 'key');
    createKeyFile(keyFile);
    createKeyFile(keyFile);
    expect([statSync(keyFile).size, statSync(keyFile).mode & 0o777, readdirSync(join(folder, 'keys'))]).toEqual([
      44,
      0o600,
      ['key'],
    ]);
  });

  it('that is lost with its key file leads to the path of the key file', async () => {
    await open().create({ text: PASSWORD, storage: 'key-file', keyFile: join(folder, 'key') });
    await expect(open().list()).rejects.toMatchObject({
      message: `The key file ${join(folder, 'key')} cannot be read: it does not exist`,
    });
  });

  it('goes to a detached child only when it was typed', async () => {
    await open().create({ text: PASSWORD, storage: 'prompt' });
    expect(await headless().createChildEnvironment()).toEqual({});
    expect(await open({ ask: () => Promise.resolve(PASSWORD) }).createChildEnvironment()).toEqual({
      GATEHOUSE_SECRETS_PASSWORD: PASSWORD,
    });
  });
});

describe('a change of the password', () => {
  it('keeps the secrets, and forgets the entry of the old one in the keyring', async () => {
    await open().create({ text: PASSWORD, storage: 'keyring' });
    await open().set('a', '1');
    const [old] = keyring.entries.keys();
    await open().changePassword({ text: 'a newer horse', storage: 'keyring' });
    expect([...keyring.entries.values()]).toEqual(['a newer horse']);
    expect(keyring.entries.has(old ?? '')).toBe(false);
    expect(await open().get('a')).toBe('1');
    await expect(headless().get('a')).rejects.toMatchObject({ code: 'secrets_password_wrong' });
  });

  it('changes nothing without a keyring for the new one', async () => {
    await open().create({ text: PASSWORD, storage: 'prompt' });
    keyring.isLocked = true;
    const changed = headless().changePassword({ text: 'a newer horse', storage: 'keyring' });
    await expect(changed).rejects.toMatchObject({ code: 'keyring_unavailable' });
    expect(await headless().list()).toEqual([]);
  });

  it('can be read by the same process afterwards', async () => {
    await open().create({ text: PASSWORD, storage: 'keyring' });
    const secrets = open();
    await secrets.changePassword({ text: 'a newer horse', storage: 'keyring' });
    expect(await secrets.list()).toEqual([]);
  });
});
