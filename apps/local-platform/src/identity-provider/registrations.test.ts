import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Adapter } from 'oidc-provider';
import { REGISTRATIONS_PER_MINUTE, RegistrationWindow, UNUSED_TTL, USED_TTL } from './registrations.ts';
import { Store } from './store.ts';

const LIMIT = 5;

describe('RegistrationWindow', () => {
  it(`admits ${REGISTRATIONS_PER_MINUTE} registrations a minute and says when the next one is admitted`, () => {
    let now = 1000;
    const window = new RegistrationWindow(() => now);
    for (let count = 0; count < REGISTRATIONS_PER_MINUTE; count += 1) {
      expect(window.admit()).toBe(0);
      now += 1;
    }
    expect(window.admit()).toBe(60 - REGISTRATIONS_PER_MINUTE);
    now = 1060;
    expect(window.admit()).toBe(0);
    expect(window.admit()).toBe(1);
  });
});

describe('Store', () => {
  let folder: string;
  let store: Store;
  let now: number;
  let clients: Adapter;
  const find = async (id: string) => (await clients.find(id)) !== undefined;
  const register = (id: string) => clients.upsert(id, { client_id: id }, undefined);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-store-'));
    now = 1_000_000;
    store = new Store(join(folder, 'store.sqlite'), () => now);
    clients = store.adapter('Client');
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  it('removes a client without a sign-in after an hour, with its registration token', async () => {
    const tokens = store.adapter('RegistrationAccessToken');
    await register('unused');
    await tokens.upsert('token', { clientId: 'unused' }, undefined);
    now += UNUSED_TTL - 1;
    store.sweep();
    expect([await find('unused'), await tokens.find('token')]).toEqual([true, { clientId: 'unused' }]);
    now += 1;
    store.sweep();
    expect([await find('unused'), await tokens.find('token')]).toEqual([false, undefined]);
  });

  it('keeps a client for 30 days after its last use, also after a change of its metadata', async () => {
    await register('used');
    await store.adapter('Grant').upsert('grant', { clientId: 'used' }, 60);
    await register('used');
    now += USED_TTL - 1;
    expect(await find('used')).toBe(true);
    await store.adapter('RefreshToken').upsert('refresh', { clientId: 'used' }, 60);
    now += USED_TTL - 1;
    expect(await find('used')).toBe(true);
    now += 1;
    expect(await find('used')).toBe(false);
  });

  it('does not count a device code as use, because it precedes the sign-in', async () => {
    await register('device');
    await store.adapter('DeviceCode').upsert('code', { clientId: 'device' }, 60);
    now += UNUSED_TTL;
    expect(await find('device')).toBe(false);
  });

  it('replaces the oldest unused client at the limit', async () => {
    for (let index = 0; index < LIMIT; index += 1) await register(`client-${index}`);
    await store.adapter('Grant').upsert('grant', { clientId: 'client-0' }, 60);
    expect(store.makeRoomForClient(LIMIT)).toBe(true);
    await register('new');
    expect(await Promise.all(['client-0', 'client-1', 'client-2', 'new'].map(find))).toEqual([true, false, true, true]);
  });

  it('has no room when all clients have been used', async () => {
    const grants = store.adapter('Grant');
    for (let index = 0; index < LIMIT; index += 1) {
      await register(`client-${index}`);
      await grants.upsert(`grant-${index}`, { clientId: `client-${index}` }, 60);
    }
    expect(store.makeRoomForClient(LIMIT)).toBe(false);
    now += USED_TTL;
    expect(store.makeRoomForClient(LIMIT)).toBe(true);
  });

  it('gives clients of an earlier release 30 days', async () => {
    await register('old');
    store.close();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(folder, 'store.sqlite'));
    database.exec('UPDATE artifact SET expires_at = NULL');
    database.close();
    store = new Store(join(folder, 'store.sqlite'), () => now);
    clients = store.adapter('Client');
    expect(await find('old')).toBe(true);
    now += USED_TTL;
    expect(await find('old')).toBe(false);
  });
});
