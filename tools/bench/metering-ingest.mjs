// The ingest of tool-call records, measured by metering.mjs on its database.
// Method and limits: docs/benchmarks.md#metering.
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import pg from 'pg';
import { checkRate, startCpuMeter } from './core-share.mjs';
import { postJson } from './real-manager.mjs';
import { median, sum } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

const LIMIT = 10_000;
const BATCH = 1_000;
const CLIENTS = 8;
/** Batches of each client in the first round, in which the engine compiles the code. */
const WARM_UP = 4;
const [BARE, ONE, FOUR] = ['bare INSERT', 'ingested, one chain', 'ingested, four chains'];
/** Gateways of the records. The service must know them. */
export const INGEST_GATEWAYS = ['ingest', 'ingest-2', 'ingest-3', 'ingest-4'];

const writeReport = (calls) => JSON.stringify({ calls });
const KINDS = {
  [BARE]: { gateways: ['bare'], write: JSON.stringify, send: insertBare },
  [ONE]: { gateways: INGEST_GATEWAYS.slice(0, 1), write: writeReport, send: report },
  [FOUR]: { gateways: INGEST_GATEWAYS, write: writeReport, send: report },
};

/**
 * Measures the ingest and prints its rates.
 * @param on `managers` (replicas), `postgres`, `adminUrl`, `issuer`, and the `cores` of all of them
 * @param people `userIds`, `connectorIds`, `groupIds`, and the number of `tools` of a connector
 * @param plan `batches` of a round, `rounds`, and whether to `check` the limits
 * @throws {Error} when a sent record is missing, or when sums or chains are wrong
 */
export async function measureIngest(on, people, { batches, rounds, check }) {
  const database = new pg.Pool({ connectionString: on.adminUrl, max: CLIENTS });
  database.on('error', () => undefined);
  await createBareTable(database);
  const managers = on.managers.map((manager) => ({ ...manager, agent: new Agent({ keepAlive: true }) }));
  const bench = { ...on, managers, people, database, token: await on.issuer.token('gateway', ['gateway']) };
  const results = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  const load = loadavg()[0].toFixed(1);
  const before = await countRecords(database);
  let sent = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, target] of Object.entries(KINDS)) {
      const each = round === 0 ? WARM_UP : Math.max(1, Math.round(batches / CLIENTS));
      const measured = await run(bench, target, each);
      if (round > 0) results[kind].push(measured);
      if (kind !== BARE) sent += CLIENTS * each * BATCH;
    }
  }
  console.log(`\nload average before ${load}, ${CLIENTS} clients, ${managers.length} services, ${rounds} rounds\n`);
  print(results, on.cores, check);
  const stored = (await countRecords(database)) - before;
  if (stored !== sent) throw new Error(`${sent} records were sent, but ${stored} are stored`);
  console.log(`\n${sent} records are stored, all sums are right, and no chain has gaps`);
  await database.query('DROP TABLE bare_calls');
  await database.end();
  for (const { agent } of managers) agent.destroy();
}

/** Measures all clients in parallel. The clients of one gateway use all replicas. */
async function run(bench, { gateways, write, send }, each) {
  const { managers, people, cores } = bench;
  const queues = Array.from({ length: CLIENTS }, (_, client) => {
    const gateway = gateways[Math.floor(client / managers.length) % gateways.length];
    return Array.from({ length: each }, () => [gateway, write(createBatch(gateway, people))]);
  });
  const meter = startCpuMeter(cores, bench);
  await Promise.all(
    queues.map(async (queue, client) => {
      for (const [gateway, body] of queue) await send(bench, gateway, body, client % managers.length);
    }),
  );
  const records = CLIENTS * each * BATCH;
  const measured = meter(records);
  return { ...measured, rate: records / measured.seconds };
}

/** Reports one batch over HTTP. @throws {Error} when a record is not stored */
async function report({ managers, token }, gateway, body, replica) {
  const { url, agent } = managers[replica];
  const text = await postJson(`${url}/gateway/v1/gateways/${gateway}/tool-calls`, agent, token, body);
  const stored = text.split('"status":"stored"').length - 1;
  if (stored !== BATCH) throw new Error(`${stored} of ${BATCH} were stored: ${text.slice(0, 300)}`);
}

/** Inserts the same rows directly. */
async function insertBare({ database }, _gateway, body) {
  await database.query(
    `INSERT INTO bare_calls SELECT gateway_id, now(), 1, gen_random_uuid(), now(), environment, connector_id, connector_name, tool_name, user_id, user_email,
       groups, decision, outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, sha256(tool_name::bytea), sha256(tool_name::bytea)
     FROM jsonb_populate_recordset(NULL::bare_calls, $1::jsonb)`,
    [body],
  );
}

function print(results, cores, check) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const possible = (name) =>
    (cores.length * 1e6) / sum(['services', 'server', 'driver'].map((field) => middle(name, field)));
  printTable(
    [
      `${BATCH} records at a time`,
      'records/s',
      'ratio to bare',
      'CPU µs a record: services',
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
  if (!check) return;
  for (const name of [ONE, FOUR])
    checkRate({ name, limit: LIMIT, unit: 'records', possible: possible(name), rounds: results[name] });
}

/** Counts the records. @throws {Error} when sums differ, or when a chain has gaps */
async function countRecords(database) {
  const buildSumSql = (table, condition) =>
    `coalesce((SELECT sum(calls) FROM ${table} s WHERE s.gateway_id = g.id AND ${condition}), 0)::int`;
  const { rows } = await database.query(
    `SELECT g.id, (SELECT count(*) FROM tool_calls c WHERE c.gateway_id = g.id)::int AS records,
       coalesce((SELECT sum(last) FROM (SELECT max(sequence) AS last FROM tool_calls c WHERE c.gateway_id = g.id
         GROUP BY date_trunc('month', arrived_at AT TIME ZONE 'UTC')) AS chains), 0)::int AS linked,
       ${buildSumSql('tool_call_sums', `width = 'month' AND grain = 'tool'`)} AS tools, ${buildSumSql('tool_call_sums', `width = 'hour' AND grain = 'all'`)} AS hours,
       ${buildSumSql('tool_call_user_sums', 'TRUE')} AS people, ${buildSumSql('tool_call_group_days', `group_id = ''`)} AS days,
       ${buildSumSql('tool_call_group_hours', `group_id = ''`)} AS "groupHours"
     FROM unnest($1::text[]) AS g (id)`,
    [INGEST_GATEWAYS],
  );
  for (const { id, ...counts } of rows)
    if (new Set(Object.values(counts)).size > 1)
      throw new Error(`records and sums of ${id} differ: ${JSON.stringify(counts)}`);
  return rows.reduce((total, { records }) => total + records, 0);
}

/** Creates a table like that of records, with the same indexes. */
async function createBareTable(database) {
  await database.query('DROP TABLE IF EXISTS bare_calls');
  await database.query('CREATE TABLE bare_calls (LIKE tool_calls)');
  for (const columns of [
    'gateway_id, arrived_at, sequence',
    'gateway_id, occurred_at',
    'connector_id, occurred_at, call_id',
    'user_id, occurred_at, call_id, connector_id',
    'call_id',
  ])
    await database.query(`CREATE INDEX ON bare_calls (${columns})`);
}

/** Creates a batch of calls of random users within the last minute. */
function createBatch(gateway_id, { userIds, connectorIds, groupIds, tools }) {
  const pick = (count) => Math.floor(Math.random() ** 2 * count);
  const allUsers = groupIds.length - 1;
  return Array.from({ length: BATCH }, () => {
    const [user, connector] = [pick(userIds.length), pick(connectorIds.length)];
    return {
      call_id: uuidV7(),
      occurred_at: new Date(Date.now() - Math.random() * 60_000).toISOString(),
      gateway_id,
      environment: 'production',
      connector_id: connectorIds[connector],
      connector_name: `Connector ${connector}`,
      tool_name: `tool-${connector}-${pick(tools)}`,
      user_id: userIds[user],
      user_email: `user-${user}@example.com`,
      groups: [
        { id: groupIds[user % allUsers], name: `Group ${user % allUsers}` },
        { id: groupIds[allUsers], name: 'All users' },
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

/** Creates a UUID version 7 (RFC 9562), as gateways do. */
function uuidV7() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
