// node tools/bench/metering.mjs [--at 1,3,10] [--home <folder>] [--samples 100] [--batches 100] [--check]
// Readings of a real enterprise manager (built; own process, own Postgres) among millions of tool calls of 5,000 people through 20 connectors with 10 tools
// each over 90 days: records come by COPY (apps/enterprise-manager/e2e/metering-fill.ts), sums are made of them. Each size is measured before the database grows
// to the next one; with --home it is kept, and a later run goes on from the size that it has. Each operation is asked one after the other by one client, with other
// times and people each time; p50, p95 and p99 in milliseconds over HTTP. The measure of comparison is `GET /v1/me` of the same service.
// Then the taking in of records: batches of 1,000 from 4 clients for one gateway, so for one chain, each record with two groups; beside it a bare INSERT of rows as
// wide with the same indexes and nothing else. What two cores could do follows from the CPU time of service, Postgres and driver; the clock of a busy machine says
// nothing. `--check` fails above 50 ms at p99 for tops and series, and below 10,000 records a second by CPU time. A million records take about 0.8 GB on disk. Linux only.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './server.mjs';
import pg from 'pg';
import { cpuSeconds, serverSeconds } from './core-share.mjs';
import { adminUrlOf, onDatabase, startIssuer, startManager } from './real-manager.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/metering-fill.ts', import.meta.url);
const { fillToolCalls, connectorId, userId } = await import(fill.href);

const LIMIT_MS = 50;
const LIMIT_A_SECOND = 10_000;
const CORES = 2;
const BATCH = 1_000;
const CLIENTS = 4;
const [USERS, CONNECTORS, TOOLS, GROUPS, SPAN_MS] = [5_000, 20, 10, 60, 90 * 86_400_000];
const MILLION = 1_000_000;

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: '1' },
    home: { type: 'string' },
    samples: { type: 'string', default: '100' },
    batches: { type: 'string', default: '60' },
    check: { type: 'boolean', default: false },
  },
});
const sizes = values.at.split(',').map(Number);
const samples = Number(values.samples);
const home = values.home === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-bench-')) : resolve(values.home);
mkdirSync(home, { recursive: true });
execFileSync('chmod', ['755', home]);

const end = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
const connectorIds = Array.from({ length: CONNECTORS }, (_, at) => connectorId(at));
const userIds = Array.from({ length: USERS }, (_, at) => userId(at));
const groupIds = Array.from({ length: GROUPS + 1 }, () => randomUUID());
const children = [];
const postgres = await startServer(join(home, 'postgres'));
const issuer = await startIssuer();
try {
  const urls = await postgres.database('enterprise_manager');
  const adminUrl = adminUrlOf(postgres, urls);
  const manager = await startManager(issuer, {
    ...onDatabase(urls),
    GATEWAYS: '[{"id":"local","display_name":"Local"},{"id":"ingest","display_name":"Ingest"}]',
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
  });
  children.push(manager.child);
  const database = new pg.Client({ connectionString: adminUrl });
  // The server ends before the client when a measurement fails.
  database.on('error', () => undefined);
  await database.connect();
  await makeConnectors(database, manager.url);
  for (const size of sizes) {
    await growTo(database, adminUrl, Math.round(size * MILLION));
    await measure(manager.url, size);
  }
  await measureIngest(database, adminUrl, manager);
  await database.end();
} finally {
  for (const child of children) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
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

async function measureIngest(database, adminUrl, manager) {
  await database.query(`CREATE TABLE IF NOT EXISTS bare_calls (LIKE tool_calls)`);
  for (const columns of [
    'gateway_id, arrived_at, sequence',
    'gateway_id, occurred_at',
    'connector_id, occurred_at, call_id',
    'user_id, connector_id, occurred_at, call_id',
    'call_id',
  ])
    await database.query(`CREATE INDEX ON bare_calls (${columns})`);
  const token = await issuer.token('gateway', ['gateway']);
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client({ connectionString: adminUrl });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }),
  );
  const bare = async (client) => {
    await clients[client].query(
      `INSERT INTO bare_calls SELECT gateway_id, now(), 1, gen_random_uuid(), now(), environment, connector_id, connector_name, tool_name, user_id, user_email,
         groups, decision, outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, sha256(tool_name::bytea), sha256(tool_name::bytea)
       FROM jsonb_populate_recordset(NULL::bare_calls, $1::jsonb)`,
      [JSON.stringify(batch())],
    );
  };
  const report = async () => {
    const response = await fetch(`${manager.url}/gateway/v1/gateways/ingest/tool-calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ calls: batch() }),
    });
    const { results } = await response.json();
    if (response.status !== 200 || results.some(({ status }) => status !== 'stored'))
      throw new Error(`a batch was not stored: ${response.status}`);
  };
  console.log(`\nload average ${loadavg()[0].toFixed(1)}; batches of ${BATCH} from ${CLIENTS} clients\n`);
  console.log(
    '| What | a second | CPU µs: service | Postgres | driver | two cores could do |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const [name, send] of [
    ['bare INSERT', bare],
    ['taken in, chained and counted', report],
  ]) {
    await run(send, CLIENTS * 2);
    const [before, begun] = [cpu(manager), performance.now()];
    const batches = Number(values.batches);
    await run(send, batches);
    const seconds = (performance.now() - begun) / 1_000;
    const records = batches * BATCH;
    const used = cpu(manager).map((one, at) => ((one - before[at]) / records) * 1e6);
    const possible = (CORES * 1e6) / used.reduce((sum, one) => sum + one, 0);
    console.log(
      `| ${name} | ${Math.round(records / seconds)} | ${used.map((one) => one.toFixed(0)).join(' | ')} | ${Math.round(possible)} |`,
    );
    if (values.check && send === report && possible < LIMIT_A_SECOND) {
      console.error(`two cores could take in ${Math.round(possible)} records a second, below ${LIMIT_A_SECOND}`);
      process.exitCode = 1;
    }
  }
  const { rows } = await database.query(`
    SELECT (SELECT count(*) FROM tool_calls WHERE gateway_id = 'ingest')::int AS records, (SELECT max(sequence) FROM tool_calls WHERE gateway_id = 'ingest')::int AS last,
      (SELECT sum(calls) FROM tool_call_sums WHERE gateway_id = 'ingest' AND width = 'month' AND grain = 'tool')::int AS counted`);
  const [{ records, last, counted }] = rows;
  if (records !== counted || records < last) throw new Error(`records and sums differ: ${JSON.stringify(rows)}`);
  console.log(`\n${records} records, as many in the sums`);
  await Promise.all(clients.map((client) => client.end()));
  await database.query('DROP TABLE bare_calls');
}

async function run(send, batches) {
  let left = batches;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (left > 0) {
        left -= 1;
        await send(client);
      }
    }),
  );
}

/** Calls of people all over the directory, of the last minutes. */
function batch() {
  const some = (count) => Math.floor(Math.random() ** 2 * count);
  return Array.from({ length: BATCH }, () => {
    const [user, connector] = [some(USERS), some(CONNECTORS)];
    return {
      call_id: uuidV7(),
      occurred_at: new Date(Date.now() - Math.random() * 60_000).toISOString(),
      gateway_id: 'ingest',
      environment: 'production',
      connector_id: connectorIds[connector],
      connector_name: `Connector ${connector}`,
      tool_name: `tool-${connector}-${some(TOOLS)}`,
      user_id: userIds[user],
      user_email: `user-${user}@example.com`,
      groups: [
        { id: groupIds[user % GROUPS], name: `Group ${user % GROUPS}` },
        { id: groupIds[GROUPS], name: 'Everybody' },
      ],
      decision: 'allowed',
      outcome: 'ok',
      category: 'invocation',
      billable: true,
      billable_reason: 'reached the upstream',
      definition_version: 'abcdef012345',
      duration_ms: 12,
      arguments_sha256: 'a'.repeat(64),
    };
  });
}

/** An id that begins with its time, as gateways make them. */
function uuidV7() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** CPU time that the service, Postgres with all of its processes, also those that have ended, and this driver have used, in seconds. */
function cpu(manager) {
  return [cpuSeconds(manager.child.pid), serverSeconds(postgres.pid), cpuSeconds(process.pid)];
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
