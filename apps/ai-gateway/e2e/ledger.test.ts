import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { effort, seed } from '@gatehouse/testing/effort';
import { rationalCharge, type WireBlock } from '@gatehouse/testing/rational-calculator';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLedgerRequest, type LedgerRequest, type Random } from './support/ledger-requests.ts';
import type { VendorRecord } from './support/sdk-target.ts';
import { MeteredWorld } from './support/metered-world.ts';

const REQUESTS = 400 * effort;
const CLIENTS = 12;

/** A usage event with its charge. */
interface LedgerEvent {
  readonly interaction_id: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly upstream_status: number;
  readonly raw_usage?: object;
  readonly estimated_usage?: object;
  readonly provider: string;
  readonly model: string;
  readonly charged_usd: string | undefined;
  readonly basis: string | undefined;
}

describe('the ledger of model calls', () => {
  let world: MeteredWorld;
  beforeAll(async () => {
    world = await MeteredWorld.open({ gateways: 2 });
  }, 120_000);
  afterAll(() => world.close());

  it(
    `agrees with the vendors about ${REQUESTS} requests with faults, disconnects and kills`,
    async () => {
      const random = createRandom(seed);
      const disturbances = new AbortController();
      const disturbing = disturb(world, random, disturbances.signal);
      await sendAll(world, random);
      disturbances.abort();
      await disturbing;
      await world.untilDelivered();
      const events = await readLedger(world);
      const records = (await world.vendors.readLog()).filter(({ method }) => method === 'POST');
      const byAttempt = new Map(events.map((event) => [`${event.interaction_id}-${event.attempt}`, event]));
      expect(byAttempt.size).toBe(events.length);
      const counts = { reported: 0, estimated: 0, unseen: 0, free: 0 };
      for (const record of records) {
        const event = byAttempt.get(record.headers['x-client-request-id'] ?? '');
        // Each request that a vendor has received has exactly one event.
        expect([record.headers['x-client-request-id'], event]).toEqual([expect.any(String), expect.anything()]);
        if (event !== undefined) counts[checkEvent(event, record)] += 1;
      }
      // An event without a request at a vendor had no answer: the gateway or the vendor was killed.
      const ids = new Set(records.map(({ headers }) => headers['x-client-request-id']));
      const unseen = events.filter(({ interaction_id, attempt }) => !ids.has(`${interaction_id}-${attempt}`));
      expect(unseen.filter(({ upstream_status }) => upstream_status !== 0)).toEqual([]);
      console.info(`${records.length} requests at vendors, ${events.length} events: ${JSON.stringify(counts)}`);
      expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(10);
    },
    300_000 * effort,
  );
});

/** Compares one event with what the vendor says. @returns how the event was charged */
function checkEvent(event: LedgerEvent, record: VendorRecord): 'reported' | 'estimated' | 'unseen' | 'free' {
  const facts = JSON.stringify({ event, outcome: record.outcome, sent: record.sentUsage, url: record.url });
  const isUnseen = event.upstream_status === 0 && event.estimated_usage !== undefined;
  const used = event.raw_usage ?? event.estimated_usage;
  if (used === undefined) {
    // A call without an answer costs nothing.
    expect([facts, event.charged_usd ?? '0']).toEqual([facts, expect.stringMatching(/^0(\.0+)?$/)]);
    return 'free';
  }
  expect([facts, event.charged_usd]).toEqual([facts, computeCharge(event, used)]);
  if (event.raw_usage === undefined) return isUnseen ? 'unseen' : 'estimated';
  const said = (record.isComplete ? record.usage : record.sentUsage) as object;
  expect([facts, event.charged_usd]).toEqual([facts, computeCharge(event, said)]);
  return 'reported';
}

/** The charge by the second calculator. */
function computeCharge({ provider, model }: LedgerEvent, usage: object): string {
  const { entries, tools = {} } = BASELINE_CATALOG.spec;
  const entry = entries.find((one) => one.provider === provider && one.model === model);
  const block = entry?.[provider as 'openai'];
  return rationalCharge(provider, block as unknown as WireBlock, { ...tools }, { ...usage });
}

async function sendAll(world: MeteredWorld, random: Random): Promise<void> {
  const requests = Array.from({ length: REQUESTS }, () => createLedgerRequest(random, world.key));
  const send = async (at: number): Promise<void> => {
    for (let next = at; next < requests.length; next += CLIENTS) {
      const gateway = world.gateways[next % world.gateways.length];
      // A gateway that was killed refuses connections; its calls are lost, and that is the point.
      if (gateway !== undefined) await sendOne(gateway.url, requests[next] as LedgerRequest).catch(() => sleep(50));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => send(at)));
}

async function sendOne(url: string, { path, headers, body, closeAfter }: LedgerRequest): Promise<void> {
  const stopping = new AbortController();
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: stopping.signal });
  const reader = response.body?.getReader();
  for (let parts = 0; ; parts += 1) {
    if (parts === closeAfter) stopping.abort();
    if ((await reader?.read())?.done !== false) return;
  }
}

/** Kills gateways and restarts the manager until the requests are sent. */
async function disturb({ gateways, manager }: MeteredWorld, random: Random, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(1_500 + 2_000 * random(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    if (random() < 0.3) {
      await manager.stop();
      await manager.restart();
    } else {
      const gateway = gateways[Math.floor(random() * gateways.length)];
      await gateway?.kill();
      await gateway?.start();
    }
  }
}

/** Reads all usage events with their charges. */
async function readLedger({ manager }: MeteredWorld): Promise<LedgerEvent[]> {
  const read = async <T>(path: string, member: string): Promise<T[]> => {
    const all: T[] = [];
    let cursor = '';
    do {
      const page = await manager.call<Record<string, unknown>>('admin', 'GET', `${path}?limit=10000${cursor}`);
      all.push(...(page[member] as T[]));
      cursor = typeof page['next_cursor'] === 'string' ? `&cursor=${page['next_cursor']}` : '';
    } while (cursor !== '');
    return all;
  };
  const events = await read<LedgerEvent & { id: string }>('/v1/budgets/events', 'events');
  const charges = await read<{ event_id: string; charged_usd: string; basis: string }>(
    '/v1/budgets/charges',
    'charges',
  );
  const byEvent = new Map(charges.map((charge) => [charge.event_id, charge]));
  return events.map((event) => {
    const { charged_usd, basis } = byEvent.get(event.id) ?? {};
    return { ...event, charged_usd, basis };
  });
}

/** A generator of Park and Miller, so that a seed repeats a run. */
function createRandom(first: number): Random {
  let state = (first % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
