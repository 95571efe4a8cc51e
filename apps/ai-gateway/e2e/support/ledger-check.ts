import { expect } from '@jest/globals';
import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import type { PricingEntry } from '@gatehouse/money/price-list';
import { rationalCharge, type WireBlock } from '@gatehouse/testing/rational-calculator';
import type { MeteredWorld } from './metered-world.ts';
import type { VendorRecord } from './sdk-target.ts';

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

/** The observations of a check. */
export interface CheckedLedger {
  readonly records: readonly VendorRecord[];
  readonly events: readonly LedgerEvent[];
  /** The events by the way in which they were charged. */
  readonly counts: Readonly<Record<'reported' | 'estimated' | 'unseen' | 'free', number>>;
}

/** The paths of operations that cost nothing, which have no event. */
const FREE_PATH = /:countTokens$|count_tokens|count-tokens/;

/**
 * Compares the usage events with the log of the vendors, and the charges with a calculator.
 * @param prices beside those of the release
 */
export async function checkLedger(world: MeteredWorld, prices: readonly PricingEntry[] = []): Promise<CheckedLedger> {
  const events = await readLedger(world);
  const entries = [...BASELINE_CATALOG.spec.entries, ...prices];
  const log = await world.vendors.readLog();
  const records = log.filter(({ method, url }) => method === 'POST' && !FREE_PATH.test(url));
  const byAttempt = new Map(events.map((event) => [`${event.interaction_id}-${event.attempt}`, event]));
  expect(byAttempt.size).toBe(events.length);
  const counts = { reported: 0, estimated: 0, unseen: 0, free: 0 };
  for (const record of records) {
    const event = byAttempt.get(record.headers['x-client-request-id'] ?? '');
    // Each request that a vendor has received has exactly one event.
    expect([record.url, record.headers['x-client-request-id'], event]).toEqual([
      record.url,
      expect.any(String),
      expect.anything(),
    ]);
    if (event !== undefined) counts[checkEvent(event, record, entries)] += 1;
  }
  // An event without a request at a vendor had no answer: the gateway or the vendor was killed.
  const ids = new Set(records.map(({ headers }) => headers['x-client-request-id']));
  const unseen = events.filter(({ interaction_id, attempt }) => !ids.has(`${interaction_id}-${attempt}`));
  expect(unseen.filter(({ upstream_status }) => upstream_status !== 0)).toEqual([]);
  return { records, events, counts };
}

/** Compares one event with what the vendor says. @returns how the event was charged */
function checkEvent(
  event: LedgerEvent,
  record: VendorRecord,
  entries: readonly PricingEntry[],
): 'reported' | 'estimated' | 'unseen' | 'free' {
  const facts = JSON.stringify({ event, outcome: record.outcome, sent: record.sentUsage, url: record.url });
  const isUnseen = event.upstream_status === 0 && event.estimated_usage !== undefined;
  const used = event.raw_usage ?? event.estimated_usage;
  if (used === undefined) {
    // A call without an answer costs nothing.
    expect([facts, event.charged_usd ?? '0']).toEqual([facts, expect.stringMatching(/^0(\.0+)?$/)]);
    return 'free';
  }
  expect([facts, event.charged_usd]).toEqual([facts, computeCharge(event, used, entries)]);
  if (event.raw_usage === undefined) return isUnseen ? 'unseen' : 'estimated';
  const said = (record.isComplete ? record.usage : record.sentUsage) as object;
  expect([facts, event.charged_usd]).toEqual([facts, computeCharge(event, said, entries)]);
  return 'reported';
}

/** The charge by the second calculator. */
function computeCharge({ provider, model }: LedgerEvent, usage: object, entries: readonly PricingEntry[]): string {
  const { tools = {} } = BASELINE_CATALOG.spec;
  const entry = entries.find((one) => one.provider === provider && one.model === model);
  const block = entry?.[provider as 'openai'];
  return rationalCharge(provider, block as unknown as WireBlock, { ...tools }, { ...usage });
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
