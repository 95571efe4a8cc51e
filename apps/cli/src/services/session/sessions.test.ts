import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keyring } from '@gatehouse/secrets/keyring';
import { type Session, Sessions } from './sessions.ts';

/** A keyring in memory with a maximum length of texts, like that of Windows, and with a lock. */
class MemoryKeyring implements Keyring {
  readonly entries = new Map<string, string>();
  room = 100_000;
  locked = false;

  read(account: string): string | undefined {
    this.#open();
    return this.entries.get(account);
  }
  write(account: string, secret: string): void {
    this.#open();
    if (secret.length > this.room) throw new Error('too long');
    this.entries.set(account, secret);
  }
  remove(account: string): void {
    this.#open();
    this.entries.delete(account);
  }
  #open(): void {
    if (this.locked) throw new Error('locked');
  }
}

const session: Session = {
  manager: 'https://gatehouse.example.com',
  issuer: 'https://login.example.com',
  client_id: 'gatehouse-cli',
  refresh_token: 'refresh-secret',
  access_token: 'access-secret'.repeat(100),
  access_expires_at: 4_000_000_000_000,
};
let home: string;
let keyring: MemoryKeyring;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-sessions-'));
  keyring = new MemoryKeyring();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const sessions = (place?: string, folder = home) => new Sessions(folder, place, () => Promise.resolve(keyring));
const onDisk = () =>
  readdirSync(join(home, 'sessions')).map((name) => readFileSync(join(home, 'sessions', name), 'utf8'));

describe('a session', () => {
  it('is stored in an available keyring, without a secret on the disk', async () => {
    expect(await sessions().keep(session)).toBe('keyring');
    expect(await sessions().read(session.manager)).toEqual(session);
    expect(onDisk().join()).not.toContain('secret');
    await sessions().forget(session.manager);
    expect(keyring.entries.size).toBe(0);
    expect(await sessions().read(session.manager)).toBeUndefined();
  });

  it('is stored without its access token when the keyring has room for the refresh token only', async () => {
    keyring.room = 1000;
    expect(await sessions().keep(session)).toBe('keyring');
    expect(await sessions().read(session.manager)).toEqual({ ...session, access_token: '', access_expires_at: 0 });
  });

  it.each([
    ['has no room', () => (keyring.room = 10)],
    ['is locked', () => (keyring.locked = true)],
  ])('goes into an encrypted file where the keyring %s', async (_, change) => {
    change();
    expect(await sessions().keep(session)).toBe('file');
    expect(await sessions().read(session.manager)).toEqual(session);
    expect(onDisk().join()).not.toContain('secret');
  });

  it('is private again after its folder was opened to other users', async () => {
    await sessions('file').keep(session);
    chmodSync(join(home, 'sessions'), 0o755);
    await sessions('file').keep(session);
    expect(statSync(join(home, 'sessions')).mode & 0o777).toBe(0o700);
  });

  it('is stored only in the selected storage', async () => {
    expect(await sessions('file').keep(session)).toBe('file');
    expect(keyring.entries.size).toBe(0);
    keyring.locked = true;
    await expect(sessions('keyring').keep(session)).rejects.toThrow('No keyring is available');
    expect(() => sessions('elsewhere')).toThrow('GATEHOUSE_SESSION_STORE must be keyring or file');
  });

  it('in a locked keyring leads to the advice to sign in again, and can be deleted', async () => {
    await sessions().keep(session);
    keyring.locked = true;
    await expect(sessions().read(session.manager)).rejects.toMatchObject({
      message: expect.stringContaining('cannot be read'),
      tryNext: [`gatehouse login --url ${session.manager}`],
    });
    await expect(sessions().forget(session.manager)).rejects.toThrow('did not delete the session');
    expect(await sessions().read(session.manager)).toBeUndefined();
  });

  it('with damage is refused without a part of its text', async () => {
    await sessions().keep(session);
    const [account = ''] = keyring.entries.keys();
    keyring.entries.set(account, 'refresh-secret');
    const failure = await sessions()
      .read(session.manager)
      .then(String, (error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('cannot be read') });
    expect(String((failure as Error).cause)).not.toContain('secret');
  });

  it('of another home has its own entry', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-sessions-'));
    await sessions().keep(session);
    await sessions(undefined, other).keep({ ...session, refresh_token: 'other' });
    expect((await sessions().read(session.manager))?.refresh_token).toBe('refresh-secret');
    rmSync(other, { recursive: true, force: true });
  });

  it('is refused when its entry in the keyring belongs to another manager', async () => {
    await sessions().keep(session);
    const [account = ''] = keyring.entries.keys();
    keyring.entries.set(account, JSON.stringify({ ...session, manager: 'https://evil.test' }));
    await expect(sessions().read(session.manager)).rejects.toThrow('cannot be read');
  });
});

describe('exclusive work', () => {
  it('runs sequentially', async () => {
    const order: string[] = [];
    const work = (name: string) =>
      sessions().alone(session.manager, async () => {
        order.push(`${name} begins`);
        await new Promise((wake) => setTimeout(wake, 20));
        order.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    for (let index = 0; index < 6; index += 2) {
      expect(order[index + 1]).toBe(order[index]?.replace('begins', 'ends'));
    }
  });

  it('releases the lock after a failure', async () => {
    const failing = sessions().alone(session.manager, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await sessions().alone(session.manager, () => Promise.resolve('free'))).toBe('free');
  });
});
