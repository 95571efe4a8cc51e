import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from './canonical.ts';
import { alice, refusalCode, makeKey, NOON, envelopeText, type TestKey } from './envelopes.fixture.ts';
import {
  type ConfigStore,
  type ConfigTransport,
  readStoredConfig,
  type StoredConfig,
  refreshConfig,
} from './stored-config.ts';

const place = { ...alice, manager: 'https://manager.example' };
const later = { issued_at: '2026-11-20T11:30:00.000Z' };

describe('refreshConfig and readStoredConfig', () => {
  let key: TestKey;
  let stored: StoredConfig | undefined;
  let requests: Parameters<ConfigTransport['config']>[0][];
  beforeEach(async () => {
    key = await makeKey('current');
    stored = undefined;
    requests = [];
  });
  const store: ConfigStore = {
    read: () => Promise.resolve(stored),
    write: (_, next) => {
      stored = next;
      return Promise.resolve();
    },
  };
  const manager = (envelope: string | undefined, keys: unknown = { keys: [key.jwk] }): ConfigTransport => ({
    config: (held) => {
      requests.push(held);
      return Promise.resolve(envelope === undefined ? undefined : { envelope, http_etag: `"${requests.length}"` });
    },
    keys: () => Promise.resolve(keys),
  });
  const refresh = (transport: ConfigTransport, now = NOON) =>
    refreshConfig(place, { store, transport, now: () => now });

  it('store the accepted envelope and use it for conditional requests', async () => {
    await refresh(manager(await envelopeText(key)));
    expect(stored).toMatchObject({ http_etag: '"1"', last_accepted: '2026-11-20T11:00:00.000Z' });
    expect(await refresh(manager(undefined))).toMatchObject({ kid: 'current' });
    expect(await readStoredConfig(place, store, NOON)).toMatchObject({ kid: 'current' });
    expect(requests).toEqual([undefined, { http_etag: '"1"', issued_at: '2026-11-20T11:00:00.000Z' }]);
  });

  it('keep the stored envelope after they refuse an older one', async () => {
    const old = await envelopeText(key);
    await refresh(manager(await envelopeText(key, later)));
    expect(await refusalCode(refresh(manager(old)))).toBe('rolled_back');
    expect(await readStoredConfig(place, store, NOON)).toMatchObject(later);
  });

  it('return the newer envelope of two concurrent processes', async () => {
    const newer = await envelopeText(key, later);
    const slow = manager(await envelopeText(key));
    const keys = async () => {
      await refresh(manager(newer));
      return slow.keys();
    };
    expect(await refresh({ ...slow, keys })).toMatchObject(later);
    expect(stored?.envelope).toBe(newer);
  });

  it('refuse older envelopes even when the stored one is unreadable', async () => {
    await refresh(manager(await envelopeText(key, later)));
    if (stored) stored = { ...stored, envelope: 'damaged' };
    expect(await refusalCode(refresh(manager(await envelopeText(key))))).toBe('rolled_back');
    expect(await refresh(manager(await envelopeText(key, later)))).toMatchObject(later);
  });

  it('make an unconditional request when the stored envelope is expired or changed', async () => {
    await refresh(manager(await envelopeText(key)));
    const end = new Date('2026-11-21T11:00:00.000Z');
    expect(await refusalCode(refresh(manager(undefined), end))).toBe('malformed');
    if (stored) {
      const envelope = JSON.parse(stored.envelope) as JsonObject;
      stored = { ...stored, envelope: JSON.stringify({ ...envelope, refresh_interval: '999h' }) };
    }
    expect(await refusalCode(readStoredConfig(place, store, NOON))).toBe('bad_signature');
    expect(await refusalCode(refresh(manager(undefined)))).toBe('malformed');
    expect(requests).toEqual([undefined, undefined, undefined]);
  });

  it('never use the envelope of another user', async () => {
    await refresh(manager(await envelopeText(key)));
    expect(await refusalCode(readStoredConfig({ ...place, subject: 'bob' }, store, NOON))).toBe('wrong_subject');
    expect(await refusalCode(readStoredConfig({ ...place, audience: 'gatehouse-desktop' }, store, NOON))).toBe(
      'wrong_audience',
    );
  });

  it('follow the manager to its next key and refuse a revoked key', async () => {
    await refresh(manager(await envelopeText(key)));
    const next = await makeKey('next');
    const shown = { keys: [next.jwk] };
    expect(await refresh(manager(await envelopeText(next, later), shown))).toMatchObject({ kid: 'next' });
    expect(await refusalCode(refresh(manager(await envelopeText(key, later), shown)))).toBe('unknown_key');
    expect(stored?.keys).toEqual(shown);
  });

  it('return undefined when no configuration is stored', async () => {
    expect(await readStoredConfig(place, store, NOON)).toBeUndefined();
  });
});
