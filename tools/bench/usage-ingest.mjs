// node tools/bench/usage-ingest.mjs [batches] [clients] [rounds] [replicas] [--check] Usage events
// a second that real enterprise managers (built, 2 processes) settle in batches of 1,000 from
// several clients, for 10,000 people with budgets of which half pay by their group, three models,
// on a Postgres of its own; half of the events settle a reservation. Services, Postgres and this
// driver are tied to the same two cores. Beside it, in turns in one run: a bare INSERT of the same
// rows (each event with its charge, 1,000 in one transaction, the same indexes) by as many clients.
// Prints events a second, the ratio, and the CPU time for each event; at the end the ledger is
// added up in SQL and must agree. With --check the run fails when two cores could do fewer than
// 10,000 a second by the CPU time of services and Postgres, and when fewer were done by the clock
// in rounds in which others had at most a tenth of the cores. Linux only.
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startServer } from './server.mjs';
import { busySeconds, cpuSeconds, median, serverSeconds, tie } from './core-share.mjs';
import { gatewaysOf, onDatabase, startIssuer, startManager } from './real-manager.mjs';

const LIMIT = 10_000;
const CORES = [0, 1];
/** A round counts by the clock when others had at most this share of the cores. */
const QUIET = 0.1;
const PEOPLE = 10_000;
const GROUPS = 20;
const BATCH = 1_000;
/**
 * Batches of each client before anything is measured: what runs for the first time is compiled
 * meanwhile.
 */
const WARM_UP = 8;
const WEIGHTS = weights();
const [BARE, JUDGED] = ['bare INSERT of events with their charges', 'usage, some people more than others'];
const KINDS = {
  [BARE]: { send: bareInsert, anyone: somebody },
  [JUDGED]: { send: report, anyone: somebody },
  'usage, of all people alike': { send: report, anyone: anybody },
};
const MODELS = ['gpt-large', 'gpt-small', 'gpt-mini'];

const flags = process.argv.slice(2);
const numbers = flags.filter((flag) => !flag.startsWith('--')).map(Number);
const [batches = 15, clients = 8, rounds = 3, replicas = 2] = numbers;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
chmodSync(home, 0o755);
tie(process.pid, CORES);
const postgres = await startServer(join(home, 'postgres'));
const urls = await postgres.database('enterprise_manager');
const issuer = await startIssuer();
const managers = [];
for (let n = 0; n < replicas; n += 1) {
  const manager = await startManager(issuer, {
    ...onDatabase(urls),
    GATEWAYS: gatewaysOf(issuer, { ai: ['ai-gateway-1'] }),
  });
  managers.push({ ...manager, agent: new Agent({ keepAlive: true }) });
}
const database = new pg.Pool({ connectionString: urls.ownerUrl, max: clients });
const token = await issuer.token('gateway', ['gateway']);
const catalog = randomUUID();
const groups = Array.from({ length: GROUPS }, () => randomUUID());
let sent = 0;

try {
  await fill();
  await bareTable();
  const results = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  const load = loadavg()[0].toFixed(1);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, { send, anyone }] of Object.entries(KINDS)) {
      const measured = await run(send, anyone, round === 0 ? WARM_UP : batches);
      if (round > 0) results[kind].push(measured);
    }
  }
  print(results, load);
  await addUp();
} finally {
  await database.end();
  for (const manager of managers) await manager.end();
  issuer.close();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

/** Lets all clients send their batches, which are made beforehand. */
async function run(send, anyone, batches) {
  const queues = [];
  for (let client = 0; client < clients; client += 1) {
    const queue = Array.from({ length: batches }, () => reports(anyone));
    if (send === report) for (const batch of queue) await reserve(batch);
    queues.push(send === report ? queue.map((events) => JSON.stringify({ events })) : queue);
  }
  const [before, busyBefore, begun] = [usedBy(), busySeconds(CORES), performance.now()];
  await Promise.all(
    queues.map(async (queue, client) => {
      for (const batch of queue) await send(batch, client);
    }),
  );
  const passed = (performance.now() - begun) / 1_000;
  const used = usedBy().map((seconds, at) => seconds - before[at]);
  const others = (busySeconds(CORES) - busyBefore - used.reduce((sum, one) => sum + one)) / passed / CORES.length;
  const events = clients * batches * BATCH;
  const [services, server, driver] = used.map((seconds) => (seconds / events) * 1e6);
  return { rate: events / passed, services, server, driver, others: Math.max(0, others) };
}

function print(results, load) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const possible = (name) => (CORES.length * 1e6) / (middle(name, 'services') + middle(name, 'server'));
  console.log(
    `load average before ${load}, ${clients} clients, ${replicas} services, ${PEOPLE} people, ${sent} events settled`,
  );
  console.log(
    '| 1,000 events at a time | events/s | ratio to bare | CPU µs an event: services | Postgres | driver | 2 cores could do | others on the cores |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const name of Object.keys(KINDS)) {
    const rate = middle(name, 'rate');
    const cells = [name, Math.round(rate), (rate / middle(BARE, 'rate')).toFixed(2)];
    cells.push(...['services', 'server', 'driver'].map((field) => Math.round(middle(name, field))));
    cells.push(Math.round(possible(name)), `${Math.round(100 * middle(name, 'others'))} %`);
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (!flags.includes('--check')) return;
  const quiet = results[JUDGED].filter(({ others }) => others <= QUIET).map(({ rate }) => rate);
  for (const [how, rate] of [
    ['by CPU time', possible(JUDGED)],
    ...(quiet.length > 0 ? [['by the clock', median(quiet)]] : []),
  ]) {
    if (rate >= LIMIT) continue;
    console.error(`${Math.round(rate)} events a second ${how}, below ${LIMIT}`);
    process.exitCode = 1;
  }
  console.log(`\n${quiet.length} of ${results[JUDGED].length} rounds were judged by the clock too`);
}

/** Somebody: all alike. */
function anybody() {
  return Math.floor(Math.random() * PEOPLE);
}

/** Somebody as people differ (Zipf): the n-th of them calls 1/n as often as the first. */
function somebody() {
  const at = Math.random() * WEIGHTS.at(-1);
  let [low, high] = [0, PEOPLE - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (WEIGHTS[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the first n people have together. */
function weights() {
  let sum = 0;
  return Array.from({ length: PEOPLE }, (_, at) => (sum += 1 / (at + 1)));
}

function reports(anyone) {
  const event_time = new Date().toISOString();
  return Array.from({ length: BATCH }, () => {
    const person = anyone();
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

/** What admissions have left behind for every other report. */
async function reserve(batch) {
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

function reservationId(interactionId) {
  const hash = createHash('sha256')
    .update(JSON.stringify([interactionId, 1]))
    .digest();
  hash[6] = (hash[6] & 0x0f) | 0x80;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex').slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** One batch over HTTP, every item of which must be charged. */
async function report(body, client) {
  const { url, agent } = managers[client % managers.length];
  const text = await new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sending = request(`${url}/webhooks/budgets/usage`, { method: 'POST', agent, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts).toString()));
    });
    sending.on('error', reject).end(body);
  });
  const charged = text.split('"status":"charged"').length - 1;
  if (charged !== BATCH) throw new Error(`${charged} of ${BATCH} were charged: ${text.slice(0, 300)}`);
  sent += BATCH;
}

/** The same rows, by a program that does nothing else. */
async function bareInsert(events) {
  const connection = await database.connect();
  const ids = events.map(() => randomUUID());
  const each = (value) => events.map(value);
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
      values: [
        each(({ event_time }) => event_time),
        ids,
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
      ],
    });
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

async function bareTable() {
  await database.query('CREATE TABLE bare_events (LIKE usage_events INCLUDING ALL)');
}

/**
 * CPU time that the services, Postgres with all of its processes, and this driver have used, in
 * seconds.
 */
function usedBy() {
  const services = managers.reduce((total, { child }) => total + cpuSeconds(child.pid), 0);
  return [services, serverSeconds(postgres.pid), cpuSeconds(process.pid)];
}

/**
 * People, of whom half have a budget of their own and the others one of their group, and prices.
 */
async function fill() {
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

/** The sums of the ledger, which must be those of its charges. */
async function addUp() {
  const { rows } = await database.query(`
    SELECT (SELECT count(*) FROM charges)::int AS charges, (SELECT count(*) FROM usage_events)::int AS events, (SELECT count(*) FROM usage_claims)::int AS claims,
      (SELECT sum(charge_count) FROM spend_daily)::int AS counted, (SELECT sum(charged_usd) FROM charges)::text AS charged,
      (SELECT sum(used_usd) FROM budget_cells WHERE period = 'year')::text AS used, (SELECT sum(charged_usd) FROM spend_daily)::text AS daily,
      (SELECT sum(charged_usd) FROM spend_totals)::text AS totals, (SELECT sum(reserved_usd) FROM budget_cells)::text AS reserved`);
  const [{ charges, events, claims, counted, charged, used, daily, totals, reserved }] = rows;
  const counts = new Set([sent, charges, events, claims, counted]);
  const sums = new Set([charged, used, daily, totals]);
  if (counts.size > 1 || sums.size > 1 || Number(reserved) !== 0)
    throw new Error(`the ledger does not add up: ${JSON.stringify({ sent, ...rows[0] })}`);
  console.log(`\nThe ledger adds up: ${charges} charges of ${charged} USD together.`);
}
