// Usage: node tools/bench/usage-ingest.mjs [batches] [clients] [rounds] [replicas] [--check]
// Method and limits: docs/benchmarks.md#usage. Linux only.
import { createHash, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import pg from 'pg';
import { bindToCores, checkRate, startCpuMeter } from './core-share.mjs';
import { createGatewaysSetting, postJson, withManagers } from './real-manager.mjs';
import { median } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

const LIMIT = 10_000;
const CORES = [0, 1];
const PEOPLE = 10_000;
const GROUPS = 20;
const BATCH = 1_000;
/** Batches of each client in the first round, in which the engine compiles the code. */
const WARM_UP = 8;
const WEIGHTS = cumulativeWeights();
const [BARE, CHECKED] = ['bare INSERT of events with their charges', 'usage, skewed distribution of users'];
const KINDS = {
  [BARE]: { send: insertBare, randomUser: skewedUser },
  [CHECKED]: { send: report, randomUser: skewedUser },
  'usage, uniform distribution of users': { send: report, randomUser: uniformUser },
};
const MODELS = ['gpt-large', 'gpt-small', 'gpt-mini'];

const flags = process.argv.slice(2);
const numbers = flags.filter((flag) => !flag.startsWith('--')).map(Number);
const [batches = 15, clients = 8, rounds = 3, replicas = 2] = numbers;
const catalog = randomUUID();
const groups = Array.from({ length: GROUPS }, () => randomUUID());
let sent = 0;

bindToCores(process.pid, CORES);
const env = (issuer) => ({ GATEWAYS: createGatewaysSetting(issuer, { ai: ['ai-gateway-1'] }) });
await withManagers({ replicas, env }, async ({ managers, ...started }) => {
  const bench = {
    ...started,
    managers: managers.map((manager) => ({ ...manager, agent: new Agent({ keepAlive: true }) })),
    database: new pg.Pool({ connectionString: started.ownerUrl, max: clients }),
    token: await started.issuer.token('gateway', ['gateway']),
  };
  bench.database.on('error', () => undefined);
  await fill(bench);
  await bench.database.query('CREATE TABLE bare_events (LIKE usage_events INCLUDING ALL)');
  const load = loadavg()[0].toFixed(1);
  print(await measure(bench), load);
  await checkLedger(bench);
  await bench.database.end();
});

async function measure(bench) {
  const results = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, { send, randomUser }] of Object.entries(KINDS)) {
      const measured = await run(bench, send, randomUser, round === 0 ? WARM_UP : batches);
      if (round > 0) results[kind].push(measured);
    }
  }
  return results;
}

/** Prepares the batches of all clients, then measures how fast they are sent. */
async function run(bench, send, randomUser, batchesEach) {
  const queues = [];
  for (let client = 0; client < clients; client += 1) {
    const queue = Array.from({ length: batchesEach }, () => createBatch(bench, randomUser));
    if (send === report) for (const batch of queue) await reserve(bench, batch);
    queues.push(send === report ? queue.map((events) => JSON.stringify({ events })) : queue);
  }
  const meter = startCpuMeter(CORES, bench);
  await Promise.all(
    queues.map(async (queue, client) => {
      for (const batch of queue) await send(bench, batch, client);
    }),
  );
  const events = clients * batchesEach * BATCH;
  const measured = meter(events);
  return { ...measured, rate: events / measured.seconds };
}

function print(results, load) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const possible = (name) => (CORES.length * 1e6) / (middle(name, 'services') + middle(name, 'server'));
  console.log(
    `load average before ${load}, ${clients} clients, ${replicas} services, ${PEOPLE} users, ${sent} events settled`,
  );
  printTable(
    [
      '1,000 events at a time',
      'events/s',
      'ratio to bare',
      'CPU µs an event: services',
      'Postgres',
      'driver',
      '2 cores could do',
      'others on the cores',
    ],
    Object.keys(KINDS).map((name) => {
      const rate = middle(name, 'rate');
      const figures = ['services', 'server', 'driver'].map((field) => Math.round(middle(name, field)));
      const ratio = (rate / middle(BARE, 'rate')).toFixed(2);
      return [name, Math.round(rate), ratio, ...figures, Math.round(possible(name)), percent(middle(name, 'others'))];
    }),
  );
  if (flags.includes('--check'))
    checkRate({ name: CHECKED, limit: LIMIT, unit: 'events', possible: possible(CHECKED), rounds: results[CHECKED] });
}

/** Returns a random user; all have the same probability. */
function uniformUser() {
  return Math.floor(Math.random() * PEOPLE);
}

/** Returns a random user; the n-th user has 1/n of the probability of the first (Zipf). */
function skewedUser() {
  const at = Math.random() * WEIGHTS.at(-1);
  let [low, high] = [0, PEOPLE - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (WEIGHTS[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the sum of the weights of the first n users, for each n. */
function cumulativeWeights() {
  let total = 0;
  return Array.from({ length: PEOPLE }, (_, at) => (total += 1 / (at + 1)));
}

/** Creates a batch of usage reports. */
function createBatch({ issuer }, randomUser) {
  const event_time = new Date().toISOString();
  return Array.from({ length: BATCH }, () => {
    const person = randomUser();
    const prompt_tokens = 500 + Math.floor(Math.random() * 5_000);
    const completion_tokens = Math.floor(Math.random() * 900);
    const model = MODELS[person % MODELS.length];
    return {
      interaction_id: randomUUID(),
      attempt: 1,
      event_time,
      gateway_id: 'ai-gateway-1',
      principal: { issuer: issuer.name, subject: `person-${person}` },
      provider: 'openai',
      route: '/v1/chat/completions',
      requested_model: model,
      model,
      outcome: 'delivered',
      upstream_status: 200,
      duration_ms: 1_234,
      raw_usage: {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        prompt_tokens_details: { cached_tokens: 128, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
    };
  });
}

/** Creates reservations for every second report, as admissions do. */
async function reserve({ database, issuer }, batch) {
  const admitted = batch.filter((_, at) => at % 2 === 0);
  await database.query(
    `WITH made AS (
       INSERT INTO reservations (id, subject_id, kind, interaction_id, attempt, gateway_id, issuer, payer_scope, payer_subject_id, charge_period, amount_usd,
         held_usd, pricing_catalog_id, admitted_at, expires_at)
       SELECT id, subject_id, 'request', interaction_id, 1, 'ai-gateway-1', $4, 'user', subject_id, 'month', 0.05, 0.05, $5, $6, now() + interval '15 minutes'
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS r (id, subject_id, interaction_id) RETURNING *)
     INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, reserved_usd)
     SELECT subject_id, 'user', period, date_trunc(period, admitted_at AT TIME ZONE 'UTC')::date, sum(held_usd)
     FROM made, (VALUES ('day'), ('month'), ('year')) AS p (period) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET reserved_usd = c.reserved_usd + EXCLUDED.reserved_usd`,
    [
      admitted.map(({ interaction_id }) => reservationId(interaction_id)),
      admitted.map(({ principal }) => principal.subject),
      admitted.map(({ interaction_id }) => interaction_id),
      issuer.name,
      catalog,
      batch[0].event_time,
    ],
  );
}

/** Returns the id of the reservation of a first attempt, as admissions compute it. */
function reservationId(interactionId) {
  const hash = createHash('sha256')
    .update(JSON.stringify([interactionId, 1]))
    .digest();
  hash[6] = (hash[6] & 0x0f) | 0x80;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex').slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Reports one batch over HTTP. @throws {Error} when an item is not charged */
async function report({ managers, token }, body, client) {
  const { url, agent } = managers[client % managers.length];
  const text = await postJson(`${url}/webhooks/budgets/usage`, agent, token, body);
  const charged = text.split('"status":"charged"').length - 1;
  if (charged !== BATCH) throw new Error(`${charged} of ${BATCH} were charged: ${text.slice(0, 300)}`);
  sent += BATCH;
}

/** Inserts the same rows directly: each event with its charge. */
async function insertBare({ database }, events) {
  const connection = await database.connect();
  try {
    await connection.query('BEGIN');
    await connection.query({
      name: 'events',
      text: `INSERT INTO bare_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_groups, provider, route,
           requested_model, model, outcome, upstream_status, duration_ms, raw_usage, payer_scope, payer_subject_id, charge_period, charged_usd, basis, usage,
           pricing_catalog_id)
         SELECT event_time, id, interaction_id, attempt, event_time, 'ai-gateway-1', issuer, subject, '{}', 'openai', '/v1/chat/completions', model, model, outcome,
           200, 1234, raw_usage::json, scope, subject, 'month', 0.012345678, 'reported', usage::json, $12
         FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
           AS e (event_time, id, interaction_id, attempt, issuer, subject, model, outcome, raw_usage, usage, scope)`,
      values: bareValues(events),
    });
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

/** Returns the columns of the bare INSERT. */
function bareValues(events) {
  const each = (value) => events.map(value);
  return [
    each(({ event_time }) => event_time),
    each(() => randomUUID()),
    each(({ interaction_id }) => interaction_id),
    each(({ attempt }) => attempt),
    each(({ principal }) => principal.issuer),
    each(({ principal }) => principal.subject),
    each(({ model }) => model),
    each(({ outcome }) => outcome),
    each(({ raw_usage }) => JSON.stringify(raw_usage)),
    each(({ raw_usage }) => `{"input":${raw_usage.prompt_tokens},"output":${raw_usage.completion_tokens}}`),
    each((_, at) => (at % 2 === 0 ? 'user' : 'group')),
    catalog,
  ];
}

/** Creates users, budgets for half of them and for all groups, and prices. */
async function fill({ database, issuer }) {
  await database.query(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, search_key, active, source, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'person-' || n, 'person-' || n, 'person-' || n, 'Person ' || n, 'person ' || n, TRUE, 'sign_in', now(), now()
     FROM generate_series(0, $2 - 1) AS n`,
    [issuer.name, PEOPLE],
  );
  await database.query(
    `INSERT INTO groups (id, display_name, display_name_key, name, description, source, search_key, created_at, updated_at)
     SELECT id, 'Group ' || n, 'group ' || n, 'group-' || n, '', 'local', 'group ' || n, now(), now() FROM unnest($1::uuid[]) WITH ORDINALITY AS g (id, n)`,
    [groups],
  );
  await database.query(
    `INSERT INTO group_users (group_id, user_id, created_at)
     SELECT ($1::uuid[])[1 + row_number() OVER () % $2], id, now() FROM users`,
    [groups, GROUPS],
  );
  await database.query(
    `INSERT INTO budgets (subject_id, scope, period, limit_usd)
     SELECT 'person-' || n, 'user', 'month', 100000 FROM generate_series(0, $1 - 1, 2) AS n
     UNION ALL SELECT id, 'group', 'month', 10000000 FROM unnest($2::text[]) AS g (id)`,
    [PEOPLE, groups],
  );
  await createPrices(database);
}

async function createPrices(database) {
  const entries = MODELS.map((model, at) => ({
    provider: 'openai',
    model,
    openai: { inputUsdPerMillion: `${2.5 + at}`, cachedInputUsdPerMillion: '0.125', outputUsdPerMillion: '10' },
  }));
  await database.query(
    `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at) VALUES ($1, '2020-01-01', 'operator', '{}', $2, now())`,
    [catalog, JSON.stringify({ entries })],
  );
}

/** @throws {Error} when counts or sums of the ledger differ from its charges */
async function checkLedger({ database }) {
  const { rows } = await database.query(`
    SELECT (SELECT count(*) FROM charges)::int AS charges, (SELECT count(*) FROM usage_events)::int AS events, (SELECT count(*) FROM usage_claims)::int AS claims,
      (SELECT sum(charge_count) FROM spend_daily)::int AS counted, (SELECT sum(charged_usd) FROM charges)::text AS charged,
      (SELECT sum(used_usd) FROM budget_cells WHERE period = 'year')::text AS used, (SELECT sum(charged_usd) FROM spend_daily)::text AS daily,
      (SELECT sum(charged_usd) FROM spend_totals)::text AS totals, (SELECT sum(reserved_usd) FROM budget_cells)::text AS reserved`);
  const [{ charges, events, claims, counted, charged, used, daily, totals, reserved }] = rows;
  const counts = new Set([sent, charges, events, claims, counted]);
  const sums = new Set([charged, used, daily, totals]);
  if (counts.size > 1 || sums.size > 1 || Number(reserved) !== 0)
    throw new Error(`the sums of the ledger differ: ${JSON.stringify({ sent, ...rows[0] })}`);
  console.log(`\nThe sums of the ledger are right: ${charges} charges, ${charged} USD.`);
}
