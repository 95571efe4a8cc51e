// Usage: node tools/bench/metering.mjs [--at 1,3,10] [--home <folder>] [--samples 100]
// [--batches 64] [--rounds 3] [--replicas 1] [--setting name=value …] [--check]
// Method and limits: docs/benchmarks.md#metering. `--at` gives millions of records; each needs
// about 0.8 GB on disk. With `--home`, a later run continues from the existing records. Linux only.
import { randomBytes, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { bindToCores, ownCores } from './core-share.mjs';
import { INGEST_GATEWAYS, measureIngest } from './metering-ingest.mjs';
import { connect, createGatewaysSetting, get, withManagers } from './real-manager.mjs';
import { quantile } from './statistics.mjs';
import { printHeadings, printRow } from './table.mjs';

// The service's own tests fill a database in the same way.
const fill = new URL('../../apps/enterprise-manager/e2e/metering-fill.ts', import.meta.url);
const { fillToolCalls, createConnectorId, createUserId } = await import(fill.href);

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
bindToCores(process.pid, cores);

const end = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
const connectorIds = Array.from({ length: CONNECTORS }, (_, at) => createConnectorId(at));
const userIds = Array.from({ length: USERS }, (_, at) => createUserId(at));
const groupIds = Array.from({ length: GROUPS + 1 }, () => randomUUID());
const options = {
  home: values.home,
  settings: Object.fromEntries(values.setting.map((text) => text.split('=', 2))),
  replicas,
  env: (issuer) => ({
    GATEWAYS: createGatewaysSetting(issuer, { connector: ['local', ...INGEST_GATEWAYS] }),
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
  }),
};
await withManagers(options, async (bench) => {
  const database = await connect(bench.adminUrl);
  await createConnectors(bench, database);
  for (const size of sizes) {
    await growTo(database, bench.adminUrl, Math.round(size * MILLION));
    if (samples > 0) await measure(bench, size);
  }
  await database.end();
  const people = { userIds, connectorIds, groupIds, tools: TOOLS };
  if (batches > 0) await measureIngest({ ...bench, cores }, people, { batches, rounds, check: values.check });
});

/** Creates the connectors of the calls: one with the API, the others as copies of it. */
async function createConnectors({ issuer, managers }, database) {
  const [{ url }] = managers;
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

/** Adds the missing records, distributed over all days. */
async function growTo(database, adminUrl, last) {
  const [{ count }] = (await database.query(`SELECT count(*) FROM tool_calls WHERE gateway_id = 'local'`)).rows;
  const first = Number(count);
  if (first >= last) return console.log(`\n${first} records exist`);
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

async function measure({ issuer, managers: [{ url }] }, size) {
  const token = await issuer.token('auditor', ['auditor']);
  const read = ([path, query]) => get(`${url}${path}?${new URLSearchParams(query)}`, token);
  const firstExport = ['/v1/metering/usage/export', { gateway_id: 'local', limit: 500 }];
  const { next_cursor: exportCursor } = JSON.parse(await read(firstExport));
  console.log(`\nload average ${loadavg()[0].toFixed(1)}; ${samples} requests each, one after the other\n`);
  printHeadings([`Read at ${size} million calls`, 'p50 ms', 'p95 ms', 'p99 ms', 'p50 to `GET /v1/me`']);
  let base;
  for (const [name, request] of Object.entries(createReads(exportCursor))) {
    const times = [];
    for (let round = -5; round < samples; round += 1) {
      const begun = performance.now();
      await read(request());
      if (round >= 0) times.push(performance.now() - begun);
    }
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times, share));
    base ??= p50;
    printRow([name, ...[p50, p95, p99, p50 / base].map((figure) => figure.toFixed(1))]);
    if (values.check && /^(?:top|series|group series)/.test(name) && p99 > LIMIT_MS) {
      console.error(`${name}: p99 of ${p99.toFixed(1)} ms is above ${LIMIT_MS} ms`);
      process.exitCode = 1;
    }
  }
}

/** Returns a random number; small numbers are more frequent. */
function pick(count) {
  return Math.floor(Math.random() ** 2 * count);
}

/** Returns a random range of days in milliseconds, so that its edges are read from records. */
function range(days) {
  const start = end.getTime() - SPAN_MS + Math.random() * (SPAN_MS - days * 86_400_000);
  return { start: new Date(start).toISOString(), end: new Date(start + days * 86_400_000).toISOString() };
}

/** Returns the measured requests by name: each call returns a path and a query. */
function createReads(exportCursor) {
  const gateway_id = 'local';
  const path = '/v1/metering/usage';
  return {
    'GET /v1/me (comparison)': () => ['/v1/me', {}],
    'top connectors, all': () => [`${path}/top-connectors`, { gateway_id }],
    'top connectors, 30 days': () => [`${path}/top-connectors`, { gateway_id, ...range(30) }],
    'top tools, all': () => [`${path}/top-tools`, { gateway_id }],
    'top tools, 30 days': () => [`${path}/top-tools`, { gateway_id, ...range(30), limit: 100 }],
    'top tools, one day, one environment': () => [
      `${path}/top-tools`,
      { gateway_id, ...range(1), environment: 'staging' },
    ],
    'series, all': () => [`${path}/timeseries`, { gateway_id }],
    'series by tool, all': () => [`${path}/timeseries`, { gateway_id, dimension: 'tool' }],
    'series by connector, 30 days': () => [`${path}/timeseries`, { gateway_id, ...range(30), dimension: 'connector' }],
    'series by decision, 24 hours': () => [`${path}/timeseries`, { gateway_id, ...range(1), dimension: 'decision' }],
    'series by tool, 30 days of hours': () => [
      `${path}/timeseries`,
      { gateway_id, ...range(30), dimension: 'tool', bucket_width_seconds: 3_600 },
    ],
    'group series of a connector, all': () => [
      `${path}/connectors/${createConnectorId(pick(CONNECTORS))}`,
      { gateway_id },
    ],
    'group series of a connector, 30 days': () => [
      `${path}/connectors/${createConnectorId(pick(CONNECTORS))}`,
      { gateway_id, ...range(30) },
    ],
    'usage of a user, 30 days': () => [`${path}/users/${createUserId(pick(USERS))}`, { gateway_id, ...range(30) }],
    'summary, all': () => [`${path}/summary`, { gateway_id }],
    'summary, 30 days': () => [`${path}/summary`, { gateway_id, ...range(30) }],
    'activity of a connector': () => [
      `${path}/connectors/${createConnectorId(pick(CONNECTORS))}/calls`,
      { gateway_id, end: range(1).end },
    ],
    'activity of a user': () => [
      `${path}/connectors/${createConnectorId(pick(CONNECTORS))}/calls`,
      { gateway_id, user_id: createUserId(pick(USERS)) },
    ],
    'export of 500': () => [`${path}/export`, { gateway_id, limit: 500, cursor: exportCursor }],
  };
}
