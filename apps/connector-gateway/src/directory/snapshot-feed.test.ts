import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Copy } from './directory-copies.ts';
import { SnapshotFeed } from './snapshot-feed.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('SnapshotFeed', () => {
  it('adopts snapshots, and limits its requests to a manager that never waits', async () => {
    let asked = 0;
    const kept: Copy<unknown>[] = [];
    const client = {
      snapshot: () => {
        asked += 1;
        return Promise.resolve({ body: { connectors: [], policies: [] }, etag: '' });
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
});
