// node tools/bench/metering.mjs [--at 1,3,10] [--home <folder>] [--samples 100] [--batches 64]
// [--rounds 3] [--replicas 1] [--setting name=value …] [--check] Readings of a real enterprise
// manager (built; own process, own Postgres) among millions of tool calls of 5,000 people through
// 20 connectors with 10 tools each over 90 days: records come by COPY
// (apps/enterprise-manager/e2e/metering-fill.ts), sums are made of them. Each size is measured
// before the database grows to the next one; with --home it is kept, and a later run goes on from
// the size that it has. Each operation is asked one after the other by one client, with other times
// and people each time; p50, p95 and p99 in milliseconds over HTTP. The measure of comparison is
// `GET /v1/me` of the same service. Then the taking in of records, by metering-ingest.mjs.
// `--check` fails above 50 ms at p99 for tops and series, and below 10,000 records a second by CPU
// time, and by the clock in rounds that others did not disturb. Without samples or batches the
// reads or the taking in are left out. A million records take about 0.8 GB on disk. Everything runs
// on two cores; Postgres on its settings as they come, but for those that are given. Linux only.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './server.mjs';
import pg from 'pg';
import { ownCores, tie } from './core-share.mjs';
import { INGEST_GATEWAYS, measureIngest } from './metering-ingest.mjs';
import { adminUrlOf, gatewaysOf, onDatabase, startIssuer, startManager } from './real-manager.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/metering-fill.ts', import.meta.url);
const { fillToolCalls, connectorId, userId } = await import(fill.href);

const LIMIT_MS = 50;
const [USERS, CONNECTORS, TOOLS, GROUPS, SPAN_MS] = [5_000, 20, 10, 60, 90 * 86_400_000];
const MILLION = 1_000_000;

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: '1' },
    home: { type: 'string' },
    samples: { type: 'string', default: '100' },
    batches: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '3' },
    replicas: { type: 'string', default: '1' },
    setting: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
  },
});
const sizes = values.at.split(',').map(Number);
const [samples, batches, rounds, replicas] = [values.samples, values.batches, values.rounds, values.replicas].map(
  Number,
);
const cores = ownCores().slice(0, 2);
tie(process.pid, cores);
const home = values.home === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-bench-')) : resolve(values.home);
mkdirSync(home, { recursive: true });
execFileSync('chmod', ['755', home]);

const end = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
const connectorIds = Array.from({ length: CONNECTORS }, (_, at) => connectorId(at));
const userIds = Array.from({ length: USERS }, (_, at) => userId(at));
const groupIds = Array.from({ length: GROUPS + 1 }, () => randomUUID());
const managers = [];
const postgres = await startServer(
  join(home, 'postgres'),
  Object.fromEntries(values.setting.map((text) => text.split('=', 2))),
);
const issuer = await startIssuer();
try {
  const urls = await postgres.database('enterprise_manager');
  const adminUrl = adminUrlOf(postgres, urls);
  const env = {
    ...onDatabase(urls),
    GATEWAYS: gatewaysOf(issuer, { connector: ['local', ...INGEST_GATEWAYS] }),
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
  };
  for (let n = 0; n < replicas; n += 1) managers.push(await startManager(issuer, env));
  const [{ url }] = managers;
  const database = new pg.Client({ connectionString: adminUrl });
  // The server ends before the client when a measurement fails.
  database.on('error', () => undefined);
  await database.connect();
  await makeConnectors(database, url);
  for (const size of sizes) {
    await growTo(database, adminUrl, Math.round(size * MILLION));
    if (samples > 0) await measure(url, size);
  }
  await database.end();
  const people = { userIds, connectorIds, groupIds, tools: TOOLS };
  const on = { managers, postgres, adminUrl, issuer, cores };
  if (batches > 0) await measureIngest(on, people, { batches, rounds, check: values.check });
} finally {
  for (const manager of managers) await manager.end();
  issuer.close();
  await postgres.stop();
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

/** The connectors that are called: one by the API, the others like it. */
async function makeConnectors(database, url) {
  const [{ count }] = (await database.query('SELECT count(*) FROM connectors')).rows;
  if (Number(count) > 0) return;
  const response = await fetch(`${url}/v1/gateways/local/connectors`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await issuer.token('admin', ['admin'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      name: 'Called',
      endpoint: 'https://mcp.example.com/mcp',
      transport: 'streamable-http',
      draft: true,
    }),
  });
  if (response.status !== 201) throw new Error(`no connector: ${response.status} ${await response.text()}`);
  await database.query(
    `INSERT INTO connectors SELECT (jsonb_populate_record(k, jsonb_build_object('id', given, 'name', given, 'name_key', given, 'slug', right(given, 12)))).*
     FROM connectors k, unnest($1::text[]) AS given`,
    [connectorIds],
  );
}

/** Adds the records that are missing, spread over all days. */
async function growTo(database, adminUrl, last) {
  const [{ count }] = (await database.query(`SELECT count(*) FROM tool_calls WHERE gateway_id = 'local'`)).rows;
  const first = Number(count);
  if (first >= last) return console.log(`\n${first} records are there`);
  const begun = performance.now();
  const from = new Date(end.getTime() - SPAN_MS);
  await fillToolCalls(adminUrl, {
    gateway_id: 'local',
    first,
    last,
    users: USERS,
    connectors: CONNECTORS,
    tools: TOOLS,
    groups: GROUPS,
    from,
    to: end,
  });
  await database.query('CHECKPOINT');
  const [{ size }] = (await database.query('SELECT pg_size_pretty(pg_database_size(current_database())) AS size')).rows;
  console.log(
    `\n${last - first} records added in ${Math.round((performance.now() - begun) / 1000)} s; ${size} on disk`,
  );
}

async function measure(url, size) {
  const auditor = await issuer.token('auditor', ['auditor']);
  const gateway_id = 'local';
  const some = (count) => Math.floor(Math.random() ** 2 * count);
  /** Times to the millisecond, so that the edges are read from records. */
  const range = (days) => {
    const start = end.getTime() - SPAN_MS + Math.random() * (SPAN_MS - days * 86_400_000);
    return { start: new Date(start).toISOString(), end: new Date(start + days * 86_400_000).toISOString() };
  };
  const path = '/v1/metering/usage';
  const export_ = JSON.parse(await get(url, `${path}/export`, { gateway_id, limit: 500 }, auditor));
  const reads = {
    'GET /v1/me (comparison)': () => ['/v1/me', {}],
    'top connectors, all': () => [`${path}/top-connectors`, { gateway_id }],
    'top connectors, 30 days': () => [`${path}/top-connectors`, { gateway_id, ...range(30) }],
    'top tools, all': () => [`${path}/top-tools`, { gateway_id }],
    'top tools, 30 days': () => [`${path}/top-tools`, { gateway_id, ...range(30), limit: 100 }],
    'top tools, a day, an environment': () => [
      `${path}/top-tools`,
      { gateway_id, ...range(1), environment: 'staging' },
    ],
    'series, all': () => [`${path}/timeseries`, { gateway_id }],
    'series by tool, all': () => [`${path}/timeseries`, { gateway_id, dimension: 'tool' }],
    'series by connector, 30 days': () => [`${path}/timeseries`, { gateway_id, ...range(30), dimension: 'connector' }],
    'series by decision, a day of hours': () => [
      `${path}/timeseries`,
      { gateway_id, ...range(1), dimension: 'decision' },
    ],
    'series by tool, 30 days of hours': () => [
      `${path}/timeseries`,
      { gateway_id, ...range(30), dimension: 'tool', bucket_width_seconds: 3_600 },
    ],
    'group series of a connector, all': () => [`${path}/connectors/${connectorId(some(CONNECTORS))}`, { gateway_id }],
    'group series of a connector, 30 days': () => [
      `${path}/connectors/${connectorId(some(CONNECTORS))}`,
      { gateway_id, ...range(30) },
    ],
    'usage of a person, 30 days': () => [`${path}/users/${userId(some(USERS))}`, { gateway_id, ...range(30) }],
    'summary, all': () => [`${path}/summary`, { gateway_id }],
    'summary, 30 days': () => [`${path}/summary`, { gateway_id, ...range(30) }],
    'activity of a connector': () => [
      `${path}/connectors/${connectorId(some(CONNECTORS))}/calls`,
      { gateway_id, end: range(1).end },
    ],
    'activity of a person': () => [
      `${path}/connectors/${connectorId(some(CONNECTORS))}/calls`,
      { gateway_id, user_id: userId(some(USERS)) },
    ],
    'export of 500': () => [`${path}/export`, { gateway_id, limit: 500, cursor: export_.next_cursor }],
  };
  console.log(`\nload average ${loadavg()[0].toFixed(1)}; ${samples} requests each, one after the other\n`);
  console.log(
    `| Read at ${size} million calls | p50 ms | p95 ms | p99 ms | p50 to \`GET /v1/me\` |\n| --- | ---: | ---: | ---: | ---: |`,
  );
  let base;
  for (const [name, request] of Object.entries(reads)) {
    const times = [];
    for (let round = -5; round < samples; round += 1) {
      const [asked, query] = request();
      const begun = performance.now();
      await get(url, asked, query, auditor);
      if (round >= 0) times.push(performance.now() - begun);
    }
    const at = percentiles(times);
    base ??= at(0.5);
    const cells = [at(0.5), at(0.95), at(0.99)].map((ms) => ms.toFixed(1));
    console.log(`| ${name} | ${cells.join(' | ')} | ${(at(0.5) / base).toFixed(1)} |`);
    if (values.check && /^(?:top|series|group series)/.test(name) && at(0.99) > LIMIT_MS) {
      console.error(`${name}: p99 of ${cells[2]} ms is above ${LIMIT_MS} ms`);
      process.exitCode = 1;
    }
  }
}

async function get(url, path, query, token) {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

function percentiles(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
