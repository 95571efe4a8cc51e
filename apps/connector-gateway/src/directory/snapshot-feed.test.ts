import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Copy } from './directory-copies.ts';
import type { Snapshot } from '../mcp/ports/snapshot.ts';
import { SnapshotFeed } from './snapshot-feed.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const snapshot: Snapshot = {
  gateway_id: 'local',
  connectors: [],
  policies: [],
  claim_mapping: {},
  binding_claims: {},
  limits: { batch_calls: 1_000 },
};

describe('SnapshotFeed', () => {
  it('adopts snapshots, and limits its requests to a manager that never waits', async () => {
    let asked = 0;
    const kept: Copy<unknown>[] = [];
    const client = {
      snapshot: () => {
        asked += 1;
        return Promise.resolve({ body: snapshot, etag: '' });
      },
    };
    const copies = {
      find: () => Promise.resolve(undefined),
      keep: (_: string, copy: Copy<unknown>) => {
        kept.push(copy);
        return Promise.resolve();
      },
      forget: () => Promise.resolve(),
    };
    const feed = new SnapshotFeed(client, copies, silent);
    await feed.start();
    await sleep(350);
    await feed.stop();
    expect(feed.rules()?.connectors).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
    expect(asked).toBeLessThan(10);
  });

  it('ignores a stored snapshot that breaks the contract, and names the field', async () => {
    const warnings: unknown[] = [];
    const stored = { body: { ...snapshot, connectors: {} }, etag: '"1"', confirmedAt: new Date() };
    const copies = {
      find: () => Promise.resolve(stored),
      keep: () => Promise.resolve(),
      forget: () => Promise.resolve(),
    };
    const client = { snapshot: () => Promise.reject(new Error('down')) };
    const feed = new SnapshotFeed(client, copies, { ...silent, warn: (fields) => warnings.push(fields) });
    await feed.start();
    await feed.stop();
    expect(feed.rules()).toBeUndefined();
    expect(warnings[0]).toMatchObject({ err: { pointer: '/connectors' } });
  });
});
