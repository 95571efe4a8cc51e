// Usage: node tools/bench/admission.mjs [seconds] [connections] [rounds] [services] [--check]
// Method and limits: docs/benchmarks.md#admission. Linux only.
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { closedLoop } from './closed-loop.mjs';
import { bindToCores, checkRate, startCpuMeter } from './core-share.mjs';
import { connect, withManagers } from './real-manager.mjs';
import { median, sum } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

const EMPTY = 'empty transactions';
const LIMITS = { '10,000 budgets': 3_000, 'one budget': 800 };
/** The beginning of the subjects of each kind. */
const SUBJECTS = { '10,000 budgets': 'own', 'one budget': 'shared' };
const CORES = [0, 1];
const PEOPLE = 10_000;
/** Duration of the first round, in which the engine compiles the code. */
const WARM_UP_SECONDS = 5;
/** Connections of the loop of empty transactions. */
const EMPTY_CONNECTIONS = 2;
const PATH = '/webhooks/budgets/admission';

const flags = process.argv.slice(2);
const [seconds = 5, connections = 128, rounds = 3, replicas = 2] = flags
  .filter((flag) => !flag.startsWith('--'))
  .map(Number);
bindToCores(process.pid, CORES);
await withManagers({ replicas }, async (bench) => {
  const database = await connect(bench.ownerUrl);
  await fill({ ...bench, database });
  const load = loadavg()[0].toFixed(1);
  const results = await measure(bench);
  await checkCells(database);
  await database.end();
  report(results, load);
});

async function measure(bench) {
  const headers = {
    authorization: `Bearer ${await bench.issuer.token('gateway', ['gateway'])}`,
    'content-type': 'application/json',
  };
  const results = { [EMPTY]: [], '10,000 budgets': [], 'one budget': [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of Object.keys(results)) {
      const duration = round === 0 ? WARM_UP_SECONDS : seconds;
      const measured = await (name === EMPTY
        ? measureEmptyTransactions(bench.ownerUrl, duration)
        : measureAdmissions(bench, headers, SUBJECTS[name], duration));
      if (round > 0) results[name].push(measured);
    }
  }
  return results;
}

async function measureAdmissions(bench, headers, subjects, duration) {
  const meter = startCpuMeter(CORES, bench);
  const loops = await Promise.all(
    bench.managers.map(({ url }) =>
      closedLoop({
        url,
        path: PATH,
        headers,
        connections: Math.ceil(connections / replicas),
        seconds: duration,
        makeBody: () => requestBody(bench.issuer, subjects),
        expected: '{"decision":"admitted"',
      }),
    ),
  );
  const measured = meter(sum(loops.map(({ total }) => total)));
  // The p99 is that of the slower service.
  return { ...measured, rate: sum(loops.map(({ rate }) => rate)), p99: Math.max(...loops.map(({ p99 }) => p99)) };
}

/** Returns the body of a new request of a random user. */
function requestBody(issuer, subjects) {
  return JSON.stringify({
    interaction_id: randomUUID(),
    attempt: 1,
    gateway_id: 'local-ai',
    principal: { issuer: issuer.name, subject: `${subjects}-${Math.floor(Math.random() * PEOPLE)}` },
    provider: 'openai',
    requested_model: 'plain',
    model: 'plain',
    route: '/v1/chat/completions',
    estimate: { prompt_tokens: 1_000, max_output_tokens: 500 },
  });
}

/** Measures transactions without work (BEGIN, SELECT 1, COMMIT). */
async function measureEmptyTransactions(url, duration) {
  const clients = await Promise.all(Array.from({ length: EMPTY_CONNECTIONS }, () => connect(url)));
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
      await client.end();
    }),
  );
  return { rate: count / duration };
}

/** Creates users with a budget each, users in a group with a budget, and a price. */
async function fill({ database, issuer }) {
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

/** @throws {Error} when a cell differs from the sum of its reservations */
async function checkCells(database) {
  const { rows } = await database.query(
    `WITH held AS (SELECT payer_subject_id AS subject_id, sum(held_usd) AS held FROM reservations WHERE released_at IS NULL GROUP BY 1)
     SELECT c.subject_id FROM budget_cells c FULL JOIN held h USING (subject_id)
     WHERE c.period = 'month' AND c.reserved_usd IS DISTINCT FROM h.held`,
  );
  if (rows.length > 0) throw new Error(`${rows.length} cells are wrong; one of them belongs to ${rows[0].subject_id}`);
}

function report(results, load) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const possible = (name) =>
    (CORES.length * 1e6) / sum(['services', 'server', 'driver'].map((field) => middle(name, field)));
  console.log(`load average before ${load}, ${connections} connections, ${replicas} services, two cores for all`);
  printTable(
    [
      'Test',
      'a second',
      'ratio to empty transactions',
      'p99 ms',
      'CPU µs: services',
      'Postgres',
      'driver',
      'two cores could do',
      'others on the cores',
    ],
    Object.keys(results).map((name) => {
      const rate = middle(name, 'rate');
      const cells = [name, Math.round(rate), (rate / middle(EMPTY, 'rate')).toFixed(2)];
      if (name === EMPTY) return cells;
      const figures = ['p99', 'services', 'server', 'driver'].map((field) => Math.round(middle(name, field)));
      return [...cells, ...figures, Math.round(possible(name)), percent(middle(name, 'others'))];
    }),
  );
  if (!flags.includes('--check')) return;
  for (const [name, limit] of Object.entries(LIMITS))
    checkRate({ name, limit, unit: 'admissions', possible: possible(name), rounds: results[name] });
}
