import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from './canonical.ts';
import { alice, codeOf, makeKey, NOON, sealed, type TestKey } from './envelopes.fixture.ts';
import { type ConfigStore, type ConfigTransport, keptConfig, type KeptConfig, refreshConfig } from './kept-config.ts';

const place = { ...alice, manager: 'https://manager.example' };
const later = { issued_at: '2026-11-20T11:30:00.000Z' };

describe('refreshConfig and keptConfig', () => {
  let key: TestKey;
  let kept: KeptConfig | undefined;
  let asked: Parameters<ConfigTransport['config']>[0][];
  beforeEach(async () => {
    key = await makeKey('current');
    kept = undefined;
    asked = [];
  });
  const store: ConfigStore = {
    read: () => Promise.resolve(kept),
    write: (_, next) => {
      kept = next;
      return Promise.resolve();
    },
  };
  const manager = (envelope: string | undefined, keys: unknown = { keys: [key.jwk] }): ConfigTransport => ({
    config: (held) => {
      asked.push(held);
      return Promise.resolve(envelope === undefined ? undefined : { envelope, http_etag: `"${asked.length}"` });
    },
    keys: () => Promise.resolve(keys),
  });
  const refresh = (transport: ConfigTransport, now = NOON) =>
    refreshConfig(place, { store, transport, now: () => now });

  it('store the accepted envelope and make conditional requests with it', async () => {
    await refresh(manager(await sealed(key)));
    expect(kept).toMatchObject({ http_etag: '"1"', last_accepted: '2026-11-20T11:00:00.000Z' });
    expect(await refresh(manager(undefined))).toMatchObject({ kid: 'current' });
    expect(await keptConfig(place, store, NOON)).toMatchObject({ kid: 'current' });
    expect(asked).toEqual([undefined, { http_etag: '"1"', issued_at: '2026-11-20T11:00:00.000Z' }]);
  });

  it('accept newer envelopes only and keep the stored one after a refusal', async () => {
    const old = await sealed(key);
    await refresh(manager(await sealed(key, later)));
    expect(await codeOf(refresh(manager(old)))).toBe('rolled_back');
    expect(await keptConfig(place, store, NOON)).toMatchObject(later);
  });

  it('return the newer envelope of two concurrent processes', async () => {
    const newer = await sealed(key, later);
    const slow = manager(await sealed(key));
    const keys = async () => {
      await refresh(manager(newer));
      return slow.keys();
    };
    expect(await refresh({ ...slow, keys })).toMatchObject(later);
    expect(kept?.envelope).toBe(newer);
  });

  it('refuse older envelopes also when the stored one is unreadable', async () => {
    await refresh(manager(await sealed(key, later)));
    if (kept) kept = { ...kept, envelope: 'damaged' };
    expect(await codeOf(refresh(manager(await sealed(key))))).toBe('rolled_back');
    expect(await refresh(manager(await sealed(key, later)))).toMatchObject(later);
  });

  it('make an unconditional request when the stored envelope is expired or changed', async () => {
    await refresh(manager(await sealed(key)));
    const end = new Date('2026-11-21T11:00:00.000Z');
    expect(await codeOf(refresh(manager(undefined), end))).toBe('malformed');
    if (kept) {
      const envelope = JSON.parse(kept.envelope) as JsonObject;
      kept = { ...kept, envelope: JSON.stringify({ ...envelope, refresh_interval: '999h' }) };
    }
    expect(await codeOf(keptConfig(place, store, NOON))).toBe('bad_signature');
    expect(await codeOf(refresh(manager(undefined)))).toBe('malformed');
    expect(asked).toEqual([undefined, undefined, undefined]);
  });

  it('never use the envelope of another user', async () => {
    await refresh(manager(await sealed(key)));
    expect(await codeOf(keptConfig({ ...place, subject: 'bob' }, store, NOON))).toBe('wrong_subject');
    expect(await codeOf(keptConfig({ ...place, audience: 'gatehouse-desktop' }, store, NOON))).toBe('wrong_audience');
  });

  it('follow the manager to its next key and refuse a revoked key', async () => {
    await refresh(manager(await sealed(key)));
    const next = await makeKey('next');
    const shown = { keys: [next.jwk] };
    expect(await refresh(manager(await sealed(next, later), shown))).toMatchObject({ kid: 'next' });
    expect(await codeOf(refresh(manager(await sealed(key, later), shown)))).toBe('unknown_key');
    expect(kept?.keys).toEqual(shown);
  });

  it('return nothing at first', async () => {
    expect(await keptConfig(place, store, NOON)).toBeUndefined();
  });
});
