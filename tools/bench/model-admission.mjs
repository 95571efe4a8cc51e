// Usage: node tools/bench/model-admission.mjs [seconds] [rounds] [--check]
// Method and limits: docs/benchmarks.md#admission-within-leases.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AdmissionMetrics } from '../../apps/ai-gateway/dist/admission/admission-metrics.js';
import { LeasedAdmission } from '../../apps/ai-gateway/dist/admission/leased-admission.js';
import { PriceList } from '../../libs/money/dist/price-list.js';
import { Clock } from '../../libs/service-kit/dist/kit/clock.js';
import { createLog } from '../../libs/service-kit/dist/telemetry/log.js';
import { Metrics } from '../../libs/service-kit/dist/telemetry/metrics.js';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

/** The longest time of an admission with its end, in microseconds. */
const LIMIT_US = 10;
/** Attempts between two turns of the event loop, in which leases are renewed. */
const BATCH = 100;

const flags = process.argv.slice(2);
const [seconds = 1, rounds = 5] = flags.filter((flag) => !flag.startsWith('--')).map(Number);

const rates = { inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.2', outputUsdPerMillion: '10' };
const prices = new PriceList({ entries: [{ provider: 'openai', model: 'gpt', openai: rates }] });
const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 300,
  prompt_tokens_details: { cached_tokens: 500 },
  completion_tokens_details: { reasoning_tokens: 100 },
};

/** An enterprise manager that grants everything at once. */
const budgets = {
  ping: async () => undefined,
  admit: async ({ interaction_id }) => ({
    decision: 'admitted',
    reservation_id: interaction_id,
    admitted_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 900_000).toISOString(),
    pricing_catalog_id: 'catalog',
  }),
  grantLease: async ({ lease_id, amount_usd, ttl_seconds }) => ({
    lease_id,
    granted_usd: amount_usd,
    payer: { scope: 'user', subject_id: 'alice' },
    expires_at: new Date(Date.now() + ttl_seconds * 1_000).toISOString(),
    pricing_catalog_id: 'catalog',
    key_version: 1,
  }),
  returnLease: async () => undefined,
  extendReservation: async () => undefined,
  fetchPriceList: async () => prices,
};

const admission = new LeasedAdmission({
  budgets,
  settings: { minUsd: 10_000_000_000n, maxUsd: 20_000_000_000n, lifetimeMs: 600_000, idleMs: 10_000, awayMs: 60_000 },
  readRules: () => ({ timeoutMs: 5_000, failureMode: 'Closed' }),
  clock: new Clock(),
  log: createLog({ name: 'bench', level: 'silent', environment: 'bench' }),
  metrics: new AdmissionMetrics(new Metrics()),
});
const noAdmission = { admit: () => ({ reservationId: 'r', admittedAt: 't', finish: () => undefined }) };

const { signal } = new globalThis.AbortController();
const createQuery = (n) => ({
  interactionId: `interaction-${n}`,
  attempt: 1,
  principal: { id: `key:${n}`, kind: 'key', wire: { virtual_key_id: `${n}` }, owner: {}, claims: {}, keyVersion: 1 },
  provider: 'openai',
  route: 'chat',
  requestedModel: 'gpt',
  model: 'gpt',
  estimate: { promptTokens: 1_000, maxOutputTokens: 1_000 },
});

/** @returns attempts in a second of the processor, and the share that was not synchronous */
async function measure(admitter, queries) {
  const start = process.cpuUsage();
  const until = performance.now() + (seconds * 1_000) / rounds;
  let [attempts, waited] = [0, 0];
  while (performance.now() < until) {
    for (let at = 0; at < BATCH; at += 1) {
      const result = admitter.admit(queries[attempts % queries.length], signal);
      if (result instanceof Promise) waited += 1;
      (result instanceof Promise ? await result : result).finish(usage);
      attempts += 1;
    }
    await nextTurn();
  }
  const { user, system } = process.cpuUsage(start);
  return { perSecond: (attempts * 1e6) / (user + system), waited: waited / attempts };
}

const rows = [];
let slowest = 0;
for (const principals of [1, 1_000, 10_000]) {
  const queries = Array.from({ length: principals }, (_, n) => createQuery(n));
  for (let warmed = 0; warmed < 2; warmed += 1)
    for (const query of queries) (await admission.admit(query, signal)).finish(usage);
  const results = { none: [], leased: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.none.push(await measure(noAdmission, queries));
    results.leased.push(await measure(admission, queries));
  }
  const [none, leased] = ['none', 'leased'].map((key) => median(results[key].map(({ perSecond }) => perSecond)));
  const added = 1e6 / leased - 1e6 / none;
  slowest = Math.max(slowest, added);
  const waited = Math.max(...results.leased.map((result) => result.waited));
  rows.push([
    String(principals),
    `${(none / 1e6).toFixed(2)} M`,
    `${(leased / 1e6).toFixed(2)} M`,
    added.toFixed(2),
    `${(waited * 100).toFixed(2)} %`,
  ]);
}
await admission.stop();
printTable(['Principals', 'No admission/s', 'Within leases/s', 'Added µs an attempt', 'Waited'], rows);
if (flags.includes('--check') && slowest > LIMIT_US) {
  console.error(`an admission adds ${slowest.toFixed(2)} µs an attempt; the limit is ${LIMIT_US} µs`);
  process.exitCode = 1;
}
