// node tools/bench/admission.mjs [seconds] [connections] [rounds] [services] [--check] Admissions a
// second by enterprise managers (built, 2 processes; a Postgres of their own, all of it and the
// driver on two cores), over HTTP with connections that are kept: of 10,000 people with a budget
// each, and of the same people with nothing but the budget of one group that holds them all. Beside
// them, in turns in one run, what the same Postgres does with nothing in a transaction (BEGIN,
// SELECT 1, COMMIT in a loop on two connections). At the end every cell must have reserved what its
// reservations hold. A second of a busy machine is not a second of its cores, so the CPU time of
// service, Postgres and driver is measured too. With --check the run fails when two cores could do
// fewer than 3,000 and 800 admissions a second by that, and when fewer were done by the clock in
// rounds in which others had at most a tenth of the cores. Linux only.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startServer } from './server.mjs';
import { closedLoop } from './closed-loop.mjs';
import { busySeconds, cpuSeconds, median, serverSeconds, tie } from './core-share.mjs';
import { onDatabase, startIssuer, startManager } from './real-manager.mjs';

const LIMITS = { '10,000 budgets': 3_000, 'one budget': 800 };
const CORES = [0, 1];
/** A round counts by the clock when others had at most this share of the cores. */
const QUIET = 0.1;
const PEOPLE = 10_000;
/**
 * Of each kind before anything is measured: what is asked for the first time is compiled meanwhile.
 */
const WARM_UP_SECONDS = 5;
/** Connections of the loop of empty transactions. */
const EMPTY_CONNECTIONS = 2;
const PATH = '/webhooks/budgets/admission';

const flags = process.argv.slice(2);
const [seconds = 5, connections = 128, rounds = 3, replicas = 2] = flags
  .filter((flag) => !flag.startsWith('--'))
  .map(Number);
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
chmodSync(home, 0o755);
tie(process.pid, CORES);
const issuer = await startIssuer();
const managers = [];
let postgres, database;
try {
  postgres = await startServer(join(home, 'postgres'));
  const urls = await postgres.database('enterprise_manager');
  const env = onDatabase(urls);
  for (let n = 0; n < replicas; n += 1) managers.push(await startManager(issuer, env));
  database = new pg.Client({ connectionString: urls.ownerUrl });
  await database.connect();
  await measure(urls);
} finally {
  await database?.end();
  for (const manager of managers) await manager.end();
  issuer.close();
  await postgres?.stop();
  rmSync(home, { recursive: true, force: true });
}

async function measure({ ownerUrl }) {
  await fill();
  const headers = {
    authorization: `Bearer ${await issuer.token('gateway', ['gateway'])}`,
    'content-type': 'application/json',
  };
  const results = { 'empty transactions': [], '10,000 budgets': [], 'one budget': [] };
  const load = loadavg()[0].toFixed(1);
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of Object.keys(results)) {
      const duration = round === 0 ? WARM_UP_SECONDS : seconds;
      if (name === 'empty transactions') {
        const rate = await emptyTransactions(ownerUrl, duration);
        if (round > 0) results[name].push({ rate });
        continue;
      }
      const budgeted = name === '10,000 budgets' ? 'own' : 'shared';
      const [before, busyBefore, begunAt] = [usedBy(), busySeconds(CORES), performance.now()];
      const driven = managers.map(({ url }) =>
        closedLoop({
          url,
          path: PATH,
          headers,
          connections: Math.ceil(connections / replicas),
          seconds: duration,
          bodyOf: () => requestOf(budgeted),
          expected: '{"decision":"admitted"',
        }),
      );
      const all = await Promise.all(driven);
      const sum = (field) => all.reduce((total, one) => total + one[field], 0);
      // Of the services the slower one's.
      const p99 = Math.max(...all.map((one) => one.p99));
      const [service, server, driver] = usedBy().map((used, at) => used - before[at]);
      const passed = (performance.now() - begunAt) / 1_000;
      const others = (busySeconds(CORES) - busyBefore - service - server - driver) / passed / CORES.length;
      const each = (used) => (used / sum('total')) * 1e6;
      const measured = {
        service: each(service),
        server: each(server),
        driver: each(driver),
        others: Math.max(0, others),
      };
      if (round > 0) results[name].push({ rate: sum('rate'), p99, ...measured });
    }
  }
  await checkCells();
  report(results, load);
}

/** Another request each time, of one of the people. */
function requestOf(budgeted) {
  return JSON.stringify({
    interaction_id: randomUUID(),
    attempt: 1,
    gateway_id: 'local-ai',
    principal: { issuer: issuer.name, subject: `${budgeted}-${Math.floor(Math.random() * PEOPLE)}` },
    provider: 'openai',
    requested_model: 'plain',
    model: 'plain',
    route: '/v1/chat/completions',
    estimate: { prompt_tokens: 1_000, max_output_tokens: 500 },
  });
}

/** How many transactions with nothing in them the same Postgres ends a second. */
async function emptyTransactions(connectionString, duration) {
  const clients = Array.from({ length: EMPTY_CONNECTIONS }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const end = performance.now() + duration * 1_000;
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.query('BEGIN');
        await client.query('SELECT 1');
        await client.query('COMMIT');
        count += 1;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  return count / duration;
}

/** People with budgets of their own, people with a group's, and a price. */
async function fill() {
  await database.query(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, name, name, name, name, 'config', TRUE, name, now(), now()
     FROM generate_series(0, $2) AS n, unnest(ARRAY['own', 'shared']) AS kind, LATERAL (SELECT kind || '-' || n AS name) AS named`,
    [issuer.name, PEOPLE - 1],
  );
  await database.query(
    `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
     VALUES (gen_random_uuid(), 'all', 'all', 'all', '', 'local', 'all', now(), now())`,
  );
  await database.query(
    `INSERT INTO group_users SELECT g.id, u.id, now() FROM groups g, users u WHERE u.subject LIKE 'shared-%'`,
  );
  await database.query(
    `INSERT INTO budgets (subject_id, scope, period, limit_usd)
     SELECT subject, 'user', 'month', 100000000 FROM users WHERE subject LIKE 'own-%'
     UNION ALL SELECT id::text, 'group', 'month', 100000000000 FROM groups`,
  );
  const entries = [
    { provider: 'openai', model: 'plain', openai: { inputUsdPerMillion: '2', outputUsdPerMillion: '8' } },
  ];
  await database.query(
    `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
     VALUES (gen_random_uuid(), now() - interval '1 day', 'operator', '{}', $1, now())`,
    [JSON.stringify({ entries })],
  );
  await database.query('ANALYZE');
}

/** @throws where a cell has not reserved what its reservations hold */
async function checkCells() {
  const { rows } = await database.query(
    `WITH held AS (SELECT payer_subject_id AS subject_id, sum(held_usd) AS held FROM reservations WHERE released_at IS NULL GROUP BY 1)
     SELECT c.subject_id FROM budget_cells c FULL JOIN held h USING (subject_id)
     WHERE c.period = 'month' AND c.reserved_usd IS DISTINCT FROM h.held`,
  );
  if (rows.length > 0) throw new Error(`${rows.length} cells are wrong, such as that of ${rows[0].subject_id}`);
}

function report(results, load) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const empty = middle('empty transactions', 'rate');
  console.log(`load average before ${load}, ${connections} connections, ${replicas} services, two cores for all`);
  console.log(
    '| What | a second | ratio to empty transactions | p99 ms | CPU µs: services | Postgres | driver | two cores could do | others on the cores |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  const possible = (name) =>
    (CORES.length * 1e6) / (middle(name, 'service') + middle(name, 'server') + middle(name, 'driver'));
  for (const name of Object.keys(results)) {
    const rate = middle(name, 'rate');
    const cells = [name, Math.round(rate), (rate / empty).toFixed(2)];
    if (name in LIMITS) {
      cells.push(...['p99', 'service', 'server', 'driver'].map((field) => Math.round(middle(name, field))));
      cells.push(Math.round(possible(name)), `${Math.round(100 * middle(name, 'others'))} %`);
    }
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (!flags.includes('--check')) return;
  for (const [name, limit] of Object.entries(LIMITS)) {
    const quiet = results[name].filter(({ others }) => others <= QUIET).map(({ rate }) => rate);
    for (const [how, rate] of [
      ['by CPU time', possible(name)],
      ...(quiet.length > 0 ? [['by the clock', median(quiet)]] : []),
    ]) {
      if (rate >= limit) continue;
      console.error(`${name}: ${Math.round(rate)} admissions a second ${how}, below ${limit}`);
      process.exitCode = 1;
    }
    console.log(`${name}: ${quiet.length} of ${results[name].length} rounds were judged by the clock too`);
  }
}

/**
 * CPU time that the services, Postgres with all of its processes, and this driver have used, in
 * seconds.
 */
function usedBy() {
  const services = managers.reduce((total, { child }) => total + cpuSeconds(child.pid), 0);
  return [services, serverSeconds(postgres.pid), cpuSeconds(process.pid)];
}
