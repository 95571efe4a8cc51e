import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIntent, createOutcome } from './usage.fixture.ts';
import { UsageDelivery } from './usage-delivery.ts';
import { UsageOutbox } from './usage-outbox.ts';
import { type UsageReceipt, UsageReports, UsageReportsError } from './usage-reports.ts';

interface Report {
  readonly interaction_id: string;
  readonly attempt: number;
}

/** An enterprise manager whose results the test decides. */
class FakeReports extends UsageReports {
  readonly batches: Report[][] = [];
  decide: (report: Report) => UsageReceipt = () => ({ status: 'charged', charged_usd: '0.000000001' });
  failure: ((reports: readonly Report[]) => Error | undefined) | undefined;
  /** The number of results of the next batch; undefined: one for each report. */
  resultCount: number | undefined;

  override deliver(text: string): Promise<readonly UsageReceipt[]> {
    const reports = JSON.parse(text) as Report[];
    const error = this.failure?.(reports);
    if (error !== undefined) return Promise.reject(error);
    this.batches.push(reports);
    return Promise.resolve(reports.slice(0, this.resultCount).map((report) => this.decide(report)));
  }
}

describe('UsageDelivery', () => {
  let folder: string;
  let outbox: UsageOutbox;
  let reports: FakeReports;
  let delivery: UsageDelivery;
  let events: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
    ({ outbox } = await UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 10_000 }));
    reports = new FakeReports();
    events = [];
    delivery = new UsageDelivery(outbox, reports, {
      handleReceipt: ({ status }) => events.push(status),
      handleProblem: ({ status, error }, { interaction_id, attempt }) =>
        events.push(`${status} ${interaction_id} ${attempt}: ${error}`),
      handleOutage: (error) => events.push(`outage: ${(error as Error).message}`),
      handleRecovery: () => events.push('recovery'),
    });
  });
  afterEach(async () => {
    await delivery.stop(1_000);
    await outbox.close();
    rmSync(folder, { recursive: true });
  });

  async function finishMany(count: number, first = 1) {
    const intents = Array.from({ length: count }, (_, at) => createIntent(first + at));
    for (const intent of intents) outbox.begin(intent);
    await Promise.all(intents.map((intent) => outbox.finish(intent, createOutcome())));
    return intents.map(({ interaction_id }) => interaction_id);
  }

  const listDelivered = () => reports.batches.flat().map(({ interaction_id }) => interaction_id);
  const waitUntilEmpty = () => eventually(() => outbox.counts.waiting === 0, 'the outbox is empty');

  it('delivers events in order, in batches of at most 1,000', async () => {
    const ids = await finishMany(2_500);
    delivery.start();
    await waitUntilEmpty();
    expect(reports.batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(listDelivered()).toEqual(ids);
    const [last] = await finishMany(1, 5_000);
    await waitUntilEmpty();
    expect(listDelivered().at(-1)).toBe(last);
  });

  it('removes events whose attempts the manager has, and keeps rejected ones aside with the reason', async () => {
    const ids = await finishMany(5);
    const statuses = ['duplicate', 'conflict', 'unpriceable', 'rejected', 'strange'];
    reports.decide = ({ interaction_id }) => ({
      status: statuses[ids.indexOf(interaction_id)] ?? '',
      error: 'a reason',
    });
    delivery.start();
    await waitUntilEmpty();
    expect(events).toEqual([
      'duplicate',
      'conflict',
      `conflict ${ids[1]} 1: a reason`,
      'unpriceable',
      'rejected',
      `rejected ${ids[3]} 1: a reason`,
      'strange',
      `strange ${ids[4]} 1: a reason`,
    ]);
    expect(outbox.counts).toEqual({ waiting: 0, rejected: 2, running: 0 });
    expect(delivery.warning).toBe(
      'the enterprise manager rejected 2 usage events; the log has the reasons, and a restart reports them again',
    );
  });

  it('finds the event for which the manager refuses a batch, and delivers the others', async () => {
    const ids = await finishMany(9);
    const refuses = (batch: readonly Report[]) => batch.some(({ interaction_id }) => interaction_id === ids[5]);
    reports.failure = (batch) => (refuses(batch) ? new UsageReportsError(400, 'events[5]: too long') : undefined);
    delivery.start();
    await waitUntilEmpty();
    expect(listDelivered()).toEqual(ids.filter((_, at) => at !== 5));
    expect(outbox.counts.rejected).toBe(1);
    expect(events).toContain(`rejected ${ids[5]} 1: events[5]: too long`);
  });

  it('keeps events during an outage, says so once, and then delivers them in order', async () => {
    reports.failure = () => new UsageReportsError(403, 'no registered gateway');
    const ids = await finishMany(3);
    delivery.start();
    await eventually(() => events.length === 1, 'the outage is reported');
    ids.push(...(await finishMany(3, 100)));
    expect(delivery.warning).toMatch(/refuses the usage of this gateway with 403: check CLIENT_ID.*; 6 events wait/);
    reports.failure = undefined;
    await waitUntilEmpty();
    expect(listDelivered()).toEqual(ids);
    expect(events.filter((event) => event.startsWith('outage'))).toEqual(['outage: no registered gateway']);
    await eventually(() => events.includes('recovery'), 'the recovery is reported');
    expect(delivery.warning).toBeUndefined();
  });

  it('does not remove events for a response with too few results', async () => {
    await finishMany(2);
    reports.resultCount = 1;
    delivery.start();
    await eventually(() => events.length === 1, 'the failure is reported');
    expect(events).toEqual(['outage: the enterprise manager answered 1 results for 2 events']);
    expect(outbox.counts.waiting).toBe(2);
    reports.resultCount = undefined;
    await waitUntilEmpty();
  });

  it('delivers the last events while it stops, and leaves the rest after its time', async () => {
    delivery.start();
    const ids = await finishMany(2);
    await delivery.stop(5_000);
    expect(listDelivered()).toEqual(ids);
    reports.deliver = (_, signal?: AbortSignal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    delivery = new UsageDelivery(outbox, reports, {
      handleReceipt: () => undefined,
      handleProblem: () => undefined,
      handleOutage: () => undefined,
      handleRecovery: () => undefined,
    });
    delivery.start();
    await finishMany(1, 100);
    await delivery.stop(50);
    expect(outbox.counts.waiting).toBe(1);
  });
});
