import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import type { ReceivedSnapshot } from './received-documents.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import { UNLIMITED_SETTINGS } from '../mcp/ports/gateway-settings.fixture.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const createLease = () => new FeedLease(60, () => 0);

const snapshot: ReceivedSnapshot = {
  gateway_id: 'local',
  connectors: [],
  policies: [],
  claim_mapping: {},
  binding_claims: {},
  limits: { batch_calls: 1_000 },
  settings: UNLIMITED_SETTINGS,
};

describe('SnapshotFeed', () => {
  it('adopts snapshots, and limits its requests to a manager that never waits', async () => {
    let requests = 0;
    const client = {
      fetchSnapshot: () => {
        requests += 1;
        return Promise.resolve({ body: snapshot, etag: '' });
      },
    };
    const lease = createLease();
    const feed = new SnapshotFeed(client, lease, silent);
    feed.start();
    await sleep(350);
    await feed.stop();
    expect([feed.getRules()?.connectors, lease.isValid]).toEqual([[], true]);
    expect(requests).toBeLessThan(15);
  });

  it('waits for a change only after an answer, so that an answer after a failure comes at once', async () => {
    const waits: number[] = [];
    const client = {
      fetchSnapshot: (etag: string | undefined, waitSeconds: number, signal: AbortSignal) => {
        waits.push(waitSeconds);
        if (waits.length === 2) return Promise.reject(new Error('the connection broke'));
        if (waits.length > 3)
          return new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
        return Promise.resolve(etag === undefined ? { body: snapshot, etag: '"1"' } : undefined);
      },
    };
    const feed = new SnapshotFeed(client, createLease(), silent);
    feed.start();
    for (let tries = 0; tries < 400 && waits.length < 4; tries += 1) await sleep(5);
    await feed.stop();
    expect(waits).toEqual([0, 30, 0, 30]);
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
    const client = { fetchSnapshot: () => Promise.resolve({ body, etag: '"1"' }) };
    const errors: unknown[] = [];
    const feed = new SnapshotFeed(client, createLease(), { ...silent, error: (fields) => errors.push(fields) });
    feed.start();
    for (let tries = 0; tries < 400 && feed.getRules() === undefined; tries += 1) await sleep(5);
    await feed.stop();
    expect(feed.getRules()?.connectors).toEqual([connector]);
    expect(errors[0]).toEqual({
      count: 1,
      violations: [{ connector: connector.id, problem: expect.stringContaining('/connectors/1/endpoint: ') }],
    });
  });
});
