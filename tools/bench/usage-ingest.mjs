// node tools/bench/usage-ingest.mjs [batches] [clients] [rounds] [replicas] [--check]
// Usage events a second that real enterprise managers (built, 2 processes) settle in batches of 1,000 from several clients, for 10,000 people with budgets
// of which half pay by their group, three models, on a Postgres of its own; half of the events settle a reservation. Services, Postgres and this driver are tied
// to the same two cores. Beside it, in turns in one run: a bare INSERT of the same two rows (event and charge, 1,000 each in one transaction, the same indexes)
// by as many clients. Prints events a second, the ratio, and the CPU time for each event; at the end the ledger is added up in SQL and must agree.
// With --check the run fails when two cores could do fewer than 10,000 a second by the CPU time of services and Postgres, and when fewer were done by the clock
// in rounds in which others had at most a tenth of the cores. Linux only.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { startPostgres } from '../../libs/postgres/dist/server.js';

const LIMIT = 10_000;
const CORES = [0, 1];
/** A round counts by the clock when others had at most this share of the cores. */
const QUIET = 0.1;
const PEOPLE = 10_000;
const GROUPS = 20;
const BATCH = 1_000;
const MODELS = ['gpt-large', 'gpt-small', 'gpt-mini'];

const flags = process.argv.slice(2);
const numbers = flags.filter((flag) => !flag.startsWith('--')).map(Number);
const [batches = 15, clients = 4, rounds = 3, replicas = 2] = numbers;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
spawnSync('chmod', ['755', home]);
tie(process.pid);
const postgres = await startPostgres({ directory: join(home, 'postgres') });
const urls = await postgres.database('enterprise_manager');
const issuer = await startIssuer();
const managers = [];
for (let n = 0; n < replicas; n += 1) managers.push(await startManager());
const database = new pg.Pool({ connectionString: urls.ownerUrl, max: clients });
const token = await issuer.token('gateway');
const catalog = randomUUID();
const groups = Array.from({ length: GROUPS }, () => randomUUID());
let sent = 0;

try {
  await fill();
  await bareTables();
  const results = { bare: [], settled: [] };
  const load = loadavg()[0].toFixed(1);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, send] of [
      ['bare', bareInsert],
      ['settled', report],
    ]) {
      const measured = await run(send, round === 0 ? 4 : batches);
      if (round > 0) results[name].push(measured);
    }
  }
  print(results, load);
  await addUp();
} finally {
  await database.end();
  for (const { child } of managers) {
    child.kill();
    await once(child, 'exit');
  }
  issuer.close();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

/** Lets all clients send their batches, which are made beforehand. */
async function run(send, batches) {
  const queues = [];
  for (let client = 0; client < clients; client += 1) {
    const queue = Array.from({ length: batches }, reports);
    if (send === report) for (const batch of queue) await reserve(batch);
    queues.push(send === report ? queue.map((events) => JSON.stringify({ events })) : queue);
  }
  const [before, busyBefore, begun] = [usedBy(), busySeconds(), performance.now()];
  await Promise.all(
    queues.map(async (queue, client) => {
      for (const batch of queue) await send(batch, client);
    }),
  );
  const passed = (performance.now() - begun) / 1_000;
  const used = usedBy().map((seconds, at) => seconds - before[at]);
  const others = (busySeconds() - busyBefore - used.reduce((sum, one) => sum + one)) / passed / CORES.length;
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
  for (const [name, label] of [
    ['bare', 'bare INSERT of event and charge'],
    ['settled', '`POST /webhooks/budgets/usage`'],
  ]) {
    const rate = middle(name, 'rate');
    const cells = [label, Math.round(rate), (rate / middle('bare', 'rate')).toFixed(2)];
    cells.push(...['services', 'server', 'driver'].map((field) => Math.round(middle(name, field))));
    cells.push(Math.round(possible(name)), `${Math.round(100 * middle(name, 'others'))} %`);
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (!flags.includes('--check')) return;
  const quiet = results.settled.filter(({ others }) => others <= QUIET).map(({ rate }) => rate);
  for (const [how, rate] of [
    ['by CPU time', possible('settled')],
    ...(quiet.length > 0 ? [['by the clock', median(quiet)]] : []),
  ]) {
    if (rate >= LIMIT) continue;
    console.error(`${Math.round(rate)} events a second ${how}, below ${LIMIT}`);
    process.exitCode = 1;
  }
  console.log(`\n${quiet.length} of ${results.settled.length} rounds were judged by the clock too`);
}

function reports() {
  const event_time = new Date().toISOString();
  return Array.from({ length: BATCH }, () => {
    const person = Math.floor(Math.random() * PEOPLE);
    const prompt_tokens = 500 + Math.floor(Math.random() * 5_000);
    const completion_tokens = Math.floor(Math.random() * 900);
    const model = MODELS[person % MODELS.length];
    return {
      interaction_id: randomUUID(),
      attempt: 1,
      event_time,
      gateway_id: 'ai-gateway-1',
      principal: { issuer: issuer.issuer, subject: `person-${person}` },
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
      issuer.issuer,
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
           requested_model, model, outcome, upstream_status, duration_ms, raw_usage)
         SELECT event_time, id, interaction_id, attempt, event_time, 'ai-gateway-1', issuer, subject, '{}', 'openai', '/v1/chat/completions', model, model, outcome,
           200, 1234, raw_usage::json
         FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           AS e (event_time, id, interaction_id, attempt, issuer, subject, model, outcome, raw_usage)`,
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
      ],
    });
    await connection.query({
      name: 'charges',
      text: `INSERT INTO bare_charges (event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage,
           charge_period, pricing_catalog_id)
         SELECT event_time, id, id, interaction_id, attempt, subject, 'openai', model, 'user', subject, 0.012345678, 'reported', usage::jsonb, 'month', $7
         FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::text[], $8::text[])
           AS c (event_time, id, interaction_id, attempt, subject, model, usage)`,
      values: [
        each(({ event_time }) => event_time),
        ids,
        each(({ interaction_id }) => interaction_id),
        each(({ attempt }) => attempt),
        each(({ principal }) => principal.subject),
        each(({ model }) => model),
        catalog,
        each(({ raw_usage }) => `{"input":${raw_usage.prompt_tokens},"output":${raw_usage.completion_tokens}}`),
      ],
    });
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

async function bareTables() {
  for (const [bare, table] of [
    ['bare_events', 'usage_events'],
    ['bare_charges', 'charges'],
  ])
    await database.query(`CREATE TABLE ${bare} (LIKE ${table} INCLUDING ALL)`);
}

/** People, of whom half have a budget of their own and the others one of their group, and prices. */
async function fill() {
  await database.query(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, search_key, active, source, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'person-' || n, 'person-' || n, 'person-' || n, 'Person ' || n, 'person ' || n, TRUE, 'sign_in', now(), now()
     FROM generate_series(0, $2 - 1) AS n`,
    [issuer.issuer, PEOPLE],
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

function median(list) {
  return list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];
}

/** Ties a process, its threads, and what it will start to the cores of the measurement. */
function tie(pid) {
  const { status } = spawnSync('taskset', ['-a', '-p', '-c', CORES.join(','), String(pid)]);
  if (status !== 0) throw new Error(`process ${pid} could not be tied to the cores ${CORES.join(', ')}`);
}

/** CPU time that the services, Postgres with all of its processes, and this driver have used, in seconds. */
function usedBy() {
  const used = (fields, at) => (Number(fields[at]) + Number(fields[at + 1])) / 100;
  const sum = (list) => list.reduce((total, one) => total + one, 0);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map(statOf).filter((fields) => Number(fields[1]) === postgres.pid);
  const server = statOf(postgres.pid);
  return [
    sum(managers.map(({ child }) => used(statOf(child.pid), 11))),
    // Of its processes that have ended the server knows.
    used(server, 11) + used(server, 13) + sum(children.map((fields) => used(fields, 11))),
    used(statOf(process.pid), 11),
  ];
}

/** The fields of a process from its state on; none once it has ended. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Time that the cores were not idle, for whomever, and time that the host took from them. */
function busySeconds() {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n');
  return CORES.reduce((total, core) => {
    const line = lines.find((text) => text.startsWith(`cpu${core} `)) ?? '';
    const [user, nice, system, , , irq, softirq, steal] = line.split(/ +/).slice(1).map(Number);
    return total + (user + nice + system + irq + softirq + steal) / 100;
  }, 0);
}

async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' };
  const server = createServer((_, answer) =>
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const name = `http://127.0.0.1:${server.address().port}`;
  const sign = (role) =>
    new SignJWT({ roles: [role] })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(name)
      .setAudience('gatehouse')
      .setSubject(role)
      .setExpirationTime('2h')
      .sign(privateKey);
  return { issuer: name, token: sign, close: () => server.close().closeAllConnections() };
}

async function startManager() {
  const main = fileURLToPath(new URL('../../apps/enterprise-manager/dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv.filter((flag) => flag.startsWith('--cpu-prof')), main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: urls.url,
      DATABASE_OWNER_URL: urls.ownerUrl,
      PORT: '0',
      METRICS_PORT: '0',
      AUDIENCE: 'gatehouse',
      CURSOR_KEY: 'a cursor key for this benchmark, long enough',
      ISSUERS: JSON.stringify([
        {
          id: 'bench',
          issuer: issuer.issuer,
          jwks_uri: `${issuer.issuer}/keys`,
          roles: { claim: 'roles', values: { gateway: ['gateway'] } },
        },
      ]),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text = text === null ? null : text + chunk));
  for (;;) {
    const line = text.split('\n').find((one) => one.includes('"listening"'));
    if (line) {
      text = null;
      return { url: JSON.parse(line).url, child, agent: new Agent({ keepAlive: true }) };
    }
    if (child.exitCode !== null) throw new Error(`the enterprise manager ended: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
