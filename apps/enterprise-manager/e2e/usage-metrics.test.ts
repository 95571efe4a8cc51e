import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { Gateway, price, reserve } from './usage-scene.ts';

let manager: TestManager;
let catalog: string;
let url: string;
const gateway = new Gateway(() => manager);
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/metrics`;
  manager = await startManager({ environment: { METRICS_PORT: String(port) } });
  catalog = await price(manager);
}, 60_000);
afterAll(() => manager.close());

/** Reads all counters of usage, each summed over its labels. */
async function readCounters(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const line of (await (await fetch(url)).text()).split('\n')) {
    const [, name = '', value] = /^gatehouse_usage_([a-z]+?)(?:_[A-Z]+)?_total\{.*\} (\S+)/.exec(line) ?? [];
    if (name !== '') sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

/**
 * Reports an admitted attempt and returns the counters that changed.
 * @param held the fields of its reservation that differ from the default
 * @param report the fields of its report that differ from the default
 */
async function countReport(held: Record<string, unknown>, report: Record<string, unknown> = {}) {
  const before = await readCounters();
  const interaction_id = randomUUID();
  await reserve(manager, { interaction_id, catalog, admitted_at: '2026-05-05T12:00:00.000Z', ...held });
  const { status } = await gateway.result({ interaction_id, event_time: '2026-05-05T12:00:00.000Z', ...report });
  expect(status).toBe('charged');
  const now = await readCounters();
  const changes = Object.entries(now).map(([name, value]) => [name, Number((value - (before[name] ?? 0)).toFixed(9))]);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0)) as Record<string, number>;
}

it('the metric overrun counts charges above the estimate of an admission, with and without a budget', async () => {
  expect(await countReport({ usd: '0.0035' })).toEqual({ reports: 1 });
  expect(await countReport({ usd: '0.0005' })).toEqual({ reports: 1, overrun: 0.003 });
  expect(await countReport({ usd: '0.0035', payer: undefined })).toEqual({ reports: 1 });
  expect(await countReport({ usd: '0.0005', payer: undefined })).toEqual({ reports: 1, overrun: 0.003 });
});

it('the metrics late, moved and unadmitted count such charges', async () => {
  expect(await countReport({ released: true })).toEqual({ reports: 1, late: 1 });
  expect(await countReport({}, { event_time: '2026-05-05T12:00:00.001Z' })).toEqual({ reports: 1, moved: 1 });
  expect(await countReport({}, { interaction_id: randomUUID() })).toEqual({ reports: 1, unadmitted: 1 });
});

it('the metric unknown counts a charge of 0 if the usage is not known', async () => {
  expect(await countReport({}, { raw_usage: null, outcome: 'upstream_error' })).toEqual({ reports: 1, unknown: 1 });
  expect(await countReport({}, { raw_usage: null })).toEqual({ reports: 1 });
});
