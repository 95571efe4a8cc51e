// Usage: [taskset -c 0,1] node tools/bench/spend-reads.mjs [--at 2,5,20] [--home <folder>]
// [--samples 200] [--rounds 1] [--fill] [--check]
// Method and limits: docs/benchmarks.md#spend. `--at` gives millions of charges; each needs up to
// 1.5 GB on disk. With `--home`, a later run continues from the existing charges. `--fill` only
// fills the database. A read is repeated up to `--rounds` times while others disturb it. Linux
// only.
import { loadavg } from 'node:os';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { ownCores, startShareOfOthers } from './core-share.mjs';
import { connect, get, withManagers } from './real-manager.mjs';
import { quantile } from './statistics.mjs';
import { percent, printHeadings, printRow } from './table.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/spend-fill.ts', import.meta.url);
const { fillSpend, modelName, deriveUuid } = await import(fill.href);

const LIMIT_MS = 50;
/** A read is not repeated when others had at most this share of the cores. */
const QUIET = 0.03;
const [PEOPLE, GROUPS, MODELS, MONTHS_MS] = [10_000, 200, 20, 395 * 86_400_000];
const MILLION = 1_000_000;
/** Settings of a run that only fills: fast, without protection against a crash. */
const FILLING = { fsync: 'off', wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '4GB', autovacuum: 'off' };

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: '1,2' },
    home: { type: 'string' },
    samples: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    fill: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const sizes = values.at.split(',').map(Number);
const [samples, rounds] = [Number(values.samples), Number(values.rounds)];
const people = Array.from({ length: PEOPLE }, (_, at) => `person-${at}`);
const groups = Array.from({ length: GROUPS }, (_, at) => deriveUuid(`group ${at}`));
const end = new Date();
const options = {
  home: values.home,
  settings: values.fill ? FILLING : {},
  env: () => ({ SPEND_EXPORT_ENABLED: 'true' }),
};
await withManagers(options, async (bench) => {
  const database = await connect(bench.adminUrl);
  for (const size of sizes) {
    await growTo(database, bench.adminUrl, Math.round(size * MILLION));
    if (!values.fill) await measure(bench, size);
  }
  await database.end();
});

/** Adds the missing charges, distributed over all months. */
async function growTo(database, adminUrl, last) {
  const count = async () => Number((await database.query('SELECT count(*) FROM charges')).rows[0].count);
  const first = await count();
  if (first >= last) return console.log(`\n${first} charges exist`);
  const begun = performance.now();
  await fillSpend(adminUrl, {
    first,
    last,
    people,
    groups,
    models: MODELS,
    from: new Date(end.getTime() - MONTHS_MS),
    to: end,
  });
  await database.query('CHECKPOINT');
  const size = (await database.query('SELECT pg_size_pretty(pg_database_size(current_database())) AS size')).rows[0]
    .size;
  console.log(
    `\n${last - first} charges added in ${Math.round((performance.now() - begun) / 1000)} s; ${size} on disk`,
  );
}

async function measure({ issuer, postgres, managers: [{ url, child }] }, size) {
  const auditor = await issuer.token('auditor', ['auditor']);
  const reads = createReads(await findMiddleCursor(url, auditor), await issuer.token('person-7'));
  console.log(`\nload average ${loadavg()[0].toFixed(1)}; ${samples} requests each, one after the other\n`);
  printHeadings([
    `Read at ${size} million charges`,
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'p50 to `GET /v1/me`',
    'others on the cores',
  ]);
  const readOthers = startShareOfOthers(ownCores(), [postgres.pid, child.pid]);
  let base;
  for (const [name, request] of Object.entries(reads)) {
    const { times, others } = await measureQuietest(readOthers, () => measureRequest(url, request, auditor));
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times, share));
    base ??= p50;
    printRow([name, ...[p50, p95, p99, p50 / base].map((figure) => figure.toFixed(1)), percent(others)]);
    if (values.check && p99 > LIMIT_MS) {
      console.error(`${name}: p99 of ${p99.toFixed(1)} ms is above ${LIMIT_MS} ms`);
      process.exitCode = 1;
    }
  }
  await measureExports(url, auditor);
}

/** Repeats a measurement until others do not disturb it. @returns the least disturbed result */
async function measureQuietest(readOthers, measureTimes) {
  let best;
  for (let round = 0; round < rounds && !(best?.others <= QUIET); round += 1) {
    readOthers();
    const times = await measureTimes();
    const others = readOthers();
    if (best === undefined || others < best.others) best = { times, others };
  }
  return best;
}

async function measureExports(url, token) {
  console.log();
  printHeadings(['Export', 'first byte ms', 'total ms', 'MB']);
  for (const query of [{}, { group_by: 'user,model' }, { group_by: 'model,provider', from: '2020-01-01' }]) {
    const begun = performance.now();
    const response = await fetch(`${url}/v1/budgets/spend/export?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status !== 200) throw new Error(`export: ${response.status} ${await response.text()}`);
    const first = performance.now() - begun;
    let bytes = 0;
    for await (const chunk of response.body) bytes += chunk.length;
    const name = new URLSearchParams(query).toString() || 'by user, 30 days';
    printRow([name, first.toFixed(0), (performance.now() - begun).toFixed(0), (bytes / 1e6).toFixed(1)]);
  }
}

/** Returns a random element; the first ones are more frequent. */
function pick(list) {
  return list[Math.floor(Math.random() ** 2 * list.length)];
}

function randomTime() {
  return new Date(end.getTime() - Math.random() * (MONTHS_MS - 86_400_000)).toISOString();
}

/** Returns the measured requests by name: each call returns path, query, and a user's own token. */
function createReads(middle, own) {
  const [large] = groups;
  return {
    'GET /v1/me (comparison)': () => ['/v1/me', {}, own],
    'breakdown of a user': () => ['/v1/budgets/breakdown', { scope: 'user', subject_id: pick(people) }],
    'breakdown of a group': () => ['/v1/budgets/breakdown', { scope: 'group', subject_id: pick(groups) }],
    'breakdown of the largest group': () => ['/v1/budgets/breakdown', { scope: 'group', subject_id: large }],
    'breakdown of the largest group, year': () => [
      '/v1/budgets/breakdown',
      { scope: 'group', subject_id: large, period: 'year' },
    ],
    'slice of a group by user': () => [`/v1/budgets/groups/${pick(groups)}`, { dimension: 'user' }],
    'slice of a user by group': () => [`/v1/budgets/users/${pick(people)}`, { dimension: 'group' }],
    'series of 30 days': () => ['/v1/budgets/spend', {}],
    'series of 30 days, a model': () => ['/v1/budgets/spend', { model: modelName(3) }],
    'series of 30 days, a user': () => ['/v1/budgets/spend', { subject_id: pick(people) }],
    'series of 30 days, the largest group': () => ['/v1/budgets/spend', { scope: 'group', subject_id: large }],
    'series of 400 days, a user': () => [
      '/v1/budgets/spend',
      { scope: 'user', subject_id: pick(people), from: '2020-01-01' },
    ],
    'series of 400 days': () => ['/v1/budgets/spend', { from: '2020-01-01' }],
    'series of 400 days, a model': () => ['/v1/budgets/spend', { from: '2020-01-01', model: modelName(3) }],
    'series of 400 days, the largest group': () => [
      '/v1/budgets/spend',
      { scope: 'group', subject_id: large, from: '2020-01-01' },
    ],
    'own series of 30 days': () => ['/v1/me/budgets/spend', {}, own],
    'newest charges': () => ['/v1/budgets/charges', {}],
    'charges from the middle': () => ['/v1/budgets/charges', { cursor: middle }],
    'charges until a time': () => ['/v1/budgets/charges', { to: randomTime() }],
    'charges of a model': () => ['/v1/budgets/charges', { model: modelName(5), to: randomTime() }],
    'charges of a rare model': () => ['/v1/budgets/charges', { model: modelName(MODELS - 1) }],
    'charges of groups': () => ['/v1/budgets/charges', { scope: 'group', to: randomTime() }],
    'charges of one payer': () => ['/v1/budgets/charges', { subject_id: pick(people) }],
    'charges of the largest group': () => [
      '/v1/budgets/charges',
      { scope: 'group', subject_id: large, to: randomTime() },
    ],
    'charges of the largest group, a rare model': () => [
      '/v1/budgets/charges',
      { scope: 'group', subject_id: large, model: modelName(MODELS - 1) },
    ],
    'own charges': () => ['/v1/me/budgets/charges', {}, own],
    'newest events': () => ['/v1/budgets/events', {}],
    'events of one user': () => ['/v1/budgets/events', { auth_subject: pick(people) }],
    'events of a model': () => ['/v1/budgets/events', { model: modelName(5), to: randomTime() }],
    'events with a rare outcome': () => ['/v1/budgets/events', { outcome: 'blocked_downstream' }],
    'delivered events': () => ['/v1/budgets/events', { outcome: 'delivered', to: randomTime() }],
    'own events': () => ['/v1/me/budgets/events', {}, own],
  };
}

/** Returns the milliseconds of each request, after ten that are not measured. */
async function measureRequest(url, request, auditor) {
  const times = [];
  for (let round = -10; round < samples; round += 1) {
    const [path, query, token = auditor] = request();
    const begun = performance.now();
    // The answer for a user without a budget and without spend is 404.
    await get(`${url}${path}?${new URLSearchParams(query)}`, token, [200, 404]);
    if (round >= 0) times.push(performance.now() - begun);
  }
  return times;
}

/** Returns a cursor after the first 20,000 charges. */
async function findMiddleCursor(url, token) {
  const list = async (query) =>
    JSON.parse(await get(`${url}/v1/budgets/charges?${new URLSearchParams({ limit: 10_000, ...query })}`, token));
  const { next_cursor: cursor } = await list({});
  return (await list({ cursor })).next_cursor;
}
