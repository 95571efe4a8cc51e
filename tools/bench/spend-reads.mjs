// node tools/bench/spend-reads.mjs [--at 2,5,20] [--home <folder>] [--samples 200] [--rounds 1]
// [--fill] [--check] Readings of a real enterprise manager (built; own process, own Postgres) among
// millions of charges of 10,000 people, 200 groups and 20 models over 13 months: events and charges
// come by COPY (apps/enterprise-manager/e2e/spend-fill.ts), cells and sums are made of them. Each
// size is measured before the database grows to the next one; with --home it is kept, and a later
// run goes on from the size that it has. Each operation is asked one after the other by one client,
// with other people, groups and times each time; p50, p95 and p99 in milliseconds over HTTP. The
// measure of comparison is `GET /v1/me` of the same service. Where others, or the host, had more
// than 3 % of the cores of the run (`taskset -c 0,1 node …`), a read is measured up to `--rounds`
// times, and the quietest counts. `--fill` fills and measures nothing, for a run of the same
// `--home` that only measures. `--check` fails above 50 ms at p99. A million charges take up to 1.5
// GB on disk.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './server.mjs';
import pg from 'pg';
import { ownCores, shareOfOthers } from './core-share.mjs';
import { adminUrlOf, onDatabase, startIssuer, startManager } from './real-manager.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/spend-fill.ts', import.meta.url);
const { fillSpend, modelName, uuidOf } = await import(fill.href);

const LIMIT_MS = 50;
/** Share of the cores that others may have without being in the way. */
const QUIET = 0.03;
const [PEOPLE, GROUPS, MODELS, MONTHS_MS] = [10_000, 200, 20, 395 * 86_400_000];
const MILLION = 1_000_000;

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
const home = values.home === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-bench-')) : resolve(values.home);
mkdirSync(home, { recursive: true });
execFileSync('chmod', ['755', home]);

const people = Array.from({ length: PEOPLE }, (_, at) => `person-${at}`);
const groups = Array.from({ length: GROUPS }, (_, at) => uuidOf(`group ${at}`));
const end = new Date();
// What is filled in need not outlive a crash; what is measured runs on the settings of the server
// as it comes.
const FILLING = { fsync: 'off', wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '4GB', autovacuum: 'off' };
const postgres = await startServer(join(home, 'postgres'), values.fill ? FILLING : {});
const issuer = await startIssuer();
let manager;
try {
  const urls = await postgres.database('enterprise_manager');
  const adminUrl = adminUrlOf(postgres, urls);
  manager = await startManager(issuer, { ...onDatabase(urls), SPEND_EXPORT_ENABLED: 'true' });
  const database = new pg.Client({ connectionString: adminUrl });
  // The server ends before the client when a measurement fails.
  database.on('error', () => undefined);
  await database.connect();
  for (const size of sizes) {
    await growTo(database, adminUrl, Math.round(size * MILLION));
    if (!values.fill) await measure(manager.url, size);
  }
  await database.end();
} finally {
  await manager?.end();
  issuer.close();
  await postgres.stop();
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

/** Adds the charges that are missing, spread over all months. */
async function growTo(database, adminUrl, last) {
  const count = async () => Number((await database.query('SELECT count(*) FROM charges')).rows[0].count);
  const first = await count();
  if (first >= last) return console.log(`\n${first} charges are there`);
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

async function measure(url, size) {
  const [auditor, own] = [await issuer.token('auditor', ['auditor']), await issuer.token('person-7')];
  const some = (list) => list[Math.floor(Math.random() ** 2 * list.length)];
  const time = () => new Date(end.getTime() - Math.random() * (MONTHS_MS - 86_400_000)).toISOString();
  const [large] = groups;
  const cursors = await middleOf(url, auditor);
  const reads = {
    'GET /v1/me (comparison)': () => ['/v1/me', {}, own],
    'breakdown of a person': () => ['/v1/budgets/breakdown', { scope: 'user', subject_id: some(people) }],
    'breakdown of a group': () => ['/v1/budgets/breakdown', { scope: 'group', subject_id: some(groups) }],
    'breakdown of the largest group': () => ['/v1/budgets/breakdown', { scope: 'group', subject_id: large }],
    'breakdown of the largest group, year': () => [
      '/v1/budgets/breakdown',
      { scope: 'group', subject_id: large, period: 'year' },
    ],
    'slice of a group by person': () => [`/v1/budgets/groups/${some(groups)}`, { dimension: 'user' }],
    'slice of a person by group': () => [`/v1/budgets/users/${some(people)}`, { dimension: 'group' }],
    'series of 30 days': () => ['/v1/budgets/spend', {}],
    'series of 30 days, a model': () => ['/v1/budgets/spend', { model: modelName(3) }],
    'series of 30 days, a person': () => ['/v1/budgets/spend', { subject_id: some(people) }],
    'series of 30 days, the largest group': () => ['/v1/budgets/spend', { scope: 'group', subject_id: large }],
    'series of 400 days, a person': () => [
      '/v1/budgets/spend',
      { scope: 'user', subject_id: some(people), from: '2020-01-01' },
    ],
    'series of 400 days': () => ['/v1/budgets/spend', { from: '2020-01-01' }],
    'series of 400 days, a model': () => ['/v1/budgets/spend', { from: '2020-01-01', model: modelName(3) }],
    'series of 400 days, the largest group': () => [
      '/v1/budgets/spend',
      { scope: 'group', subject_id: large, from: '2020-01-01' },
    ],
    'own series of 30 days': () => ['/v1/me/budgets/spend', {}, own],
    'charges, newest': () => ['/v1/budgets/charges', {}],
    'charges, from the middle': () => ['/v1/budgets/charges', { cursor: cursors.charges }],
    'charges until some time': () => ['/v1/budgets/charges', { to: time() }],
    'charges of a model': () => ['/v1/budgets/charges', { model: modelName(5), to: time() }],
    'charges of a rare model': () => ['/v1/budgets/charges', { model: modelName(MODELS - 1) }],
    'charges that groups paid': () => ['/v1/budgets/charges', { scope: 'group', to: time() }],
    'charges of one payer': () => ['/v1/budgets/charges', { subject_id: some(people) }],
    'charges of the largest group': () => ['/v1/budgets/charges', { scope: 'group', subject_id: large, to: time() }],
    'charges of the largest group, a rare model': () => [
      '/v1/budgets/charges',
      { scope: 'group', subject_id: large, model: modelName(MODELS - 1) },
    ],
    'own charges': () => ['/v1/me/budgets/charges', {}, own],
    'events, newest': () => ['/v1/budgets/events', {}],
    'events of one person': () => ['/v1/budgets/events', { auth_subject: some(people) }],
    'events of a model': () => ['/v1/budgets/events', { model: modelName(5), to: time() }],
    'events with a rare outcome': () => ['/v1/budgets/events', { outcome: 'blocked_downstream' }],
    'events that were delivered': () => ['/v1/budgets/events', { outcome: 'delivered', to: time() }],
    'own events': () => ['/v1/me/budgets/events', {}, own],
  };
  console.log(`\nload average ${loadavg()[0].toFixed(1)}; ${samples} requests each, one after the other\n`);
  console.log(
    `| Read at ${size} million charges | p50 ms | p95 ms | p99 ms | p50 to \`GET /v1/me\` | others on the cores |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  const othersSince = shareOfOthers(ownCores(), [postgres.pid, manager.child.pid]);
  let base;
  for (const [name, request] of Object.entries(reads)) {
    let best;
    for (let round = 0; round < rounds && !(best?.others <= QUIET); round += 1) {
      othersSince();
      const at = percentiles(await timesOf(url, request, auditor));
      const others = othersSince();
      if (best === undefined || others < best.others) best = { at, others };
    }
    const { at, others } = best;
    base ??= at(0.5);
    const cells = [at(0.5), at(0.95), at(0.99)].map((ms) => ms.toFixed(1));
    const share = `${Math.round(100 * others)} %`;
    console.log(`| ${name} | ${cells.join(' | ')} | ${(at(0.5) / base).toFixed(1)} | ${share} |`);
    if (values.check && at(0.99) > LIMIT_MS) {
      console.error(`${name}: p99 of ${cells[2]} ms is above ${LIMIT_MS} ms`);
      process.exitCode = 1;
    }
  }
  console.log('\n| Export | first byte ms | whole ms | MB |\n| --- | ---: | ---: | ---: |');
  for (const query of [{}, { group_by: 'user,model' }, { group_by: 'model,provider', from: '2020-01-01' }]) {
    const begun = performance.now();
    const response = await fetch(`${url}/v1/budgets/spend/export?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${auditor}` },
    });
    if (response.status !== 200) throw new Error(`export: ${response.status} ${await response.text()}`);
    const first = performance.now() - begun;
    let bytes = 0;
    for await (const chunk of response.body) bytes += chunk.length;
    const name = new URLSearchParams(query).toString() || 'by person, 30 days';
    console.log(
      `| ${name} | ${first.toFixed(0)} | ${(performance.now() - begun).toFixed(0)} | ${(bytes / 1e6).toFixed(1)} |`,
    );
  }
}

/** Milliseconds that each of the requests took, after a few that do not count. */
async function timesOf(url, request, auditor) {
  const times = [];
  for (let round = -10; round < samples; round += 1) {
    const [path, query, token = auditor] = request();
    const begun = performance.now();
    await get(url, path, query, token);
    if (round >= 0) times.push(performance.now() - begun);
  }
  return times;
}

/** A cursor that is far from the beginning of the list. */
async function middleOf(url, token) {
  const page = JSON.parse(await get(url, '/v1/budgets/charges', { limit: 10_000 }, token));
  const next = JSON.parse(await get(url, '/v1/budgets/charges', { limit: 10_000, cursor: page.next_cursor }, token));
  return { charges: next.next_cursor };
}

async function get(url, path, query, token) {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  // A person who has neither a budget nor spend is 404: that is an answer too.
  if (response.status !== 200 && response.status !== 404) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

function percentiles(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
