import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Copy } from './directory-copies.ts';
import type { ReceivedSnapshot } from './received-documents.ts';
import { SnapshotFeed } from './snapshot-feed.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const snapshot: ReceivedSnapshot = {
  gateway_id: 'local',
  connectors: [],
  policies: [],
  claim_mapping: {},
  binding_claims: {},
  limits: { batch_calls: 1_000 },
};

describe('SnapshotFeed', () => {
  it('adopts snapshots, and limits its requests to a manager that never waits', async () => {
    let requests = 0;
    const kept: Copy<unknown>[] = [];
    const client = {
      fetchSnapshot: () => {
        requests += 1;
        return Promise.resolve({ body: snapshot, etag: '' });
      },
    };
    const copies = {
      find: () => Promise.resolve(undefined),
      save: (_: string, copy: Copy<unknown>) => {
        kept.push(copy);
        return Promise.resolve();
      },
      delete: () => Promise.resolve(),
    };
    const feed = new SnapshotFeed(client, copies, silent);
    await feed.start();
    await sleep(350);
    await feed.stop();
    expect(feed.getRules()?.connectors).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
    expect(requests).toBeLessThan(10);
  });

  it('ignores a stored snapshot that breaks the contract, and names the field', async () => {
    const warnings: unknown[] = [];
    const stored = { body: { ...snapshot, connectors: {} }, etag: '"1"', confirmedAt: new Date() };
    const copies = {
      find: () => Promise.resolve(stored),
      save: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    };
    const client = { fetchSnapshot: () => Promise.reject(new Error('down')) };
    const feed = new SnapshotFeed(client, copies, { ...silent, warn: (fields) => warnings.push(fields) });
    await feed.start();
    await feed.stop();
    expect(feed.getRules()).toBeUndefined();
    expect(warnings[0]).toMatchObject({ err: { pointer: '/connectors' } });
  });

  it('adopts the valid connectors of a snapshot, and logs the field of each invalid one', async () => {
    const connector = {
      id: '00000000-0000-4000-8000-000000000001',
      slug: 'wiki',
      name: 'Wiki',
      endpoint: 'https://wiki.example.com/mcp',
      transport: 'sse',
      auth: { type: 'none' },
      allow_private_ips: false,
    };
    const body = { ...snapshot, connectors: [connector, { ...connector, endpoint: 1 }] };
    const stored = { body, etag: '"1"', confirmedAt: new Date() };
    const copies = {
      find: () => Promise.resolve(stored),
      save: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    };
    const client = { fetchSnapshot: () => Promise.reject(new Error('down')) };
    const errors: unknown[] = [];
    const feed = new SnapshotFeed(client, copies, { ...silent, error: (fields) => errors.push(fields) });
    await feed.start();
    await feed.stop();
    expect(feed.getRules()?.connectors).toEqual([connector]);
    expect(errors).toEqual([
      {
        count: 1,
        violations: [{ connector: connector.id, problem: expect.stringContaining('/connectors/1/endpoint: ') }],
      },
    ]);
  });
});
