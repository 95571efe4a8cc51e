import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { cell, Gateway, price, PRICES, reserve } from './usage-scene.ts';

const USED = { used: '0.003500000', reserved: '0.000000000' };
const NOTHING = { used: '0.000000000', reserved: '0.000000000' };

describe('the window of usage', () => {
  let manager: TestManager;
  let catalog: string;
  let now = new Date('2027-01-01T00:10:00.000Z');
  const gateway = new Gateway(() => manager);
  class Calendar extends Clock {
    override now() {
      return now;
    }
  }
  beforeAll(async () => {
    manager = await startManager({ clock: new Calendar() });
    // The service's clock also decides the validity of tokens.
    const expiresIn = 4 * 366 * 86_400;
    manager.tokens.gateway = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], expiresIn });
    catalog = await price(manager);
  }, 60_000);
  afterEach(async () => {
    now = new Date('2027-01-01T00:10:00.000Z');
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });
  afterAll(() => manager.close());

  it('is the window of its time in UTC, also after the end of the day, month and year', async () => {
    const principal = gateway.person('late');
    const receipt = await gateway.result({ principal, event_time: '2027-01-01T00:59:59.999+01:00' });
    expect(receipt.status).toBe('charged');
    expect(await cell(manager, 'late', 'day', '2026-12-31')).toEqual(USED);
    expect(await cell(manager, 'late', 'month', '2026-12-01')).toEqual(USED);
    expect(await cell(manager, 'late', 'year', '2026-01-01')).toEqual(USED);
    expect(await cell(manager, 'late', 'day', '2027-01-01')).toEqual(NOTHING);
    await gateway.result({ principal, event_time: '2027-01-01T00:00:00Z' });
    expect(await cell(manager, 'late', 'day', '2027-01-01')).toEqual(USED);
    expect(await cell(manager, 'late', 'year', '2026-01-01')).toEqual(USED);
    const days = await manager.sql<{ day: string }>(
      `SELECT day::text, charged_usd::text AS usd FROM spend_daily WHERE auth_subject = 'late' ORDER BY 1`,
    );
    expect(days).toEqual([
      { day: '2026-12-31', usd: '0.003500000' },
      { day: '2027-01-01', usd: '0.003500000' },
    ]);
  });

  it('is the window of the admission, where a later report releases the reservation, independent of its time', async () => {
    const admitted_at = '2026-12-31T23:59:59.500Z';
    const principal = gateway.person('across');
    for (const event_time of [admitted_at, '2027-01-01T00:05:00Z', '2026-11-11T00:00:00Z', '2031-01-01T00:00:00Z']) {
      const { interaction_id } = gateway.report();
      await reserve(manager, { interaction_id, catalog, subject: 'across', admitted_at });
      expect(await gateway.result({ interaction_id, principal, event_time })).toMatchObject({ status: 'charged' });
    }
    const four = { used: '0.014000000', reserved: '0.000000000' };
    expect(await cell(manager, 'across', 'day', '2026-12-31')).toEqual(four);
    expect(await cell(manager, 'across', 'month', '2026-12-01')).toEqual(four);
    expect(await cell(manager, 'across', 'year', '2026-01-01')).toEqual(four);
    for (const [period, start] of [
      ['day', '2027-01-01'],
      ['month', '2026-11-01'],
      ['year', '2031-01-01'],
    ] as const)
      expect(await cell(manager, 'across', period, start)).toEqual(NOTHING);
    const [stored] = await manager.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM usage_events WHERE auth_subject = 'across' AND event_time = $1`,
      [admitted_at],
    );
    expect(stored).toEqual({ n: 4 });
  });

  it('is the window of the admission, also if the clock of the admitting replica is far ahead', async () => {
    const admitted_at = '2027-01-01T05:00:00.000Z';
    const { interaction_id } = gateway.report();
    await reserve(manager, { interaction_id, catalog, subject: 'ahead', admitted_at });
    const principal = gateway.person('ahead');
    const receipt = await gateway.result({ interaction_id, principal, event_time: admitted_at });
    expect(receipt).toMatchObject({ status: 'charged' });
    expect(await cell(manager, 'ahead', 'day', '2027-01-01')).toEqual(USED);
  });

  it('is neither in the future beyond the clock tolerance nor older than the stored usage', async () => {
    expect(await gateway.result({ event_time: '2027-01-01T00:15:00Z' })).toMatchObject({ status: 'charged' });
    expect(await gateway.result({ event_time: '2027-01-01T00:15:00.001Z' })).toEqual({
      status: 'rejected',
      error: 'event_time: lies in the future',
    });
    // 400 days before now, to the millisecond.
    expect(await gateway.result({ event_time: '2025-11-27T00:10:00.000Z' })).toMatchObject({ status: 'charged' });
    expect(await gateway.result({ event_time: '2025-11-27T00:09:59.999Z' })).toMatchObject({ status: 'rejected' });
    expect(await gateway.result({ event_time: '1999-12-31T23:59:59Z' })).toEqual({
      status: 'rejected',
      error: 'event_time: is older than the stored usage; whether it was charged before cannot be known',
    });
    // A repeated report stays a duplicate at any later time.
    const report = gateway.report({ event_time: '2026-12-31T12:00:00Z' });
    const [first] = await gateway.results(report);
    now = new Date('2028-02-10T00:00:00Z');
    expect(await gateway.results(report)).toEqual([{ ...first, status: 'duplicate' }]);
  });

  it('follows the calendar through leap days and the ends of months', async () => {
    now = new Date('2028-03-01T00:00:30Z');
    const principal = gateway.person('leaping');
    for (const event_time of [
      '2028-02-28T23:59:59.999Z',
      '2028-02-29T00:00:00Z',
      '2028-02-29T23:59:59.999Z',
      '2028-03-01T00:00:00Z',
    ])
      await gateway.result({ principal, event_time });
    expect(await cell(manager, 'leaping', 'day', '2028-02-28')).toEqual(USED);
    expect(await cell(manager, 'leaping', 'day', '2028-02-29')).toEqual({ ...USED, used: '0.007000000' });
    expect(await cell(manager, 'leaping', 'month', '2028-02-01')).toEqual({ ...USED, used: '0.010500000' });
    expect(await cell(manager, 'leaping', 'month', '2028-03-01')).toEqual(USED);
    expect(await cell(manager, 'leaping', 'year', '2028-01-01')).toEqual({ ...USED, used: '0.014000000' });
  });

  it('has the prices of the admission, also after a new version, and without an admission those of its time', async () => {
    const { interaction_id } = gateway.report();
    const event_time = '2026-12-31T10:00:00.000Z';
    await reserve(manager, { interaction_id, catalog, admitted_at: event_time });
    const laterCatalog = await price(
      manager,
      [{ ...PRICES[0], openai: { inputUsdPerMillion: '25', outputUsdPerMillion: '100' } }],
      '2026-12-31T00:00:00Z',
    );
    const readCatalogId = async (id: string | undefined) =>
      (
        await manager.sql<{ pricing_catalog_id: string }>('SELECT pricing_catalog_id FROM charges WHERE id = $1', [id])
      )[0]?.pricing_catalog_id;
    const admitted = await gateway.result({ interaction_id, event_time });
    expect([admitted.charged_usd, await readCatalogId(admitted.event_id)]).toEqual(['0.003500000', catalog]);
    const unadmitted = await gateway.result({ event_time });
    expect([unadmitted.charged_usd, await readCatalogId(unadmitted.event_id)]).toEqual(['0.035000000', laterCatalog]);
    const earlier = await gateway.result({ event_time: '2026-12-30T23:59:59.999Z' });
    expect([earlier.charged_usd, await readCatalogId(earlier.event_id)]).toEqual(['0.003500000', catalog]);
    const lease = await reserve(manager, { kind: 'lease', catalog, admitted_at: event_time });
    const drawn = await gateway.result({ reservation_id: lease, event_time: '2027-01-01T00:00:00Z' });
    expect([drawn.charged_usd, await readCatalogId(drawn.event_id)]).toEqual(['0.003500000', catalog]);
  });

  it('has the prices of its own admission for each report of a batch, otherwise those of its time', async () => {
    const laterCatalog = await price(
      manager,
      [{ ...PRICES[0], openai: { inputUsdPerMillion: '25', outputUsdPerMillion: '100' } }],
      '2026-12-31T00:00:00Z',
    );
    const event_time = '2026-12-31T10:00:00.000Z';
    const reports = [
      ...[event_time, event_time, event_time].map((time) => gateway.report({ event_time: time })),
      gateway.report({ event_time: '2026-12-30T23:59:59.999Z' }),
    ];
    for (const [at, version] of [catalog, laterCatalog].entries())
      await reserve(manager, {
        ...{ interaction_id: reports[at]!.interaction_id, catalog: version, admitted_at: event_time },
      });
    const receipts = await gateway.results(...reports);
    expect(receipts.map(({ charged_usd }) => charged_usd)).toEqual([
      ...['0.003500000', '0.035000000', '0.035000000', '0.003500000'],
    ]);
  });
});
