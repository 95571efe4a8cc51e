// The taking in of records of tool calls, measured by metering.mjs on its database: batches of
// 1,000 from 8 clients, each record with two groups, for one gateway (so all into one chain) and
// for four; beside it, in turns, a bare INSERT of rows as wide with the same indexes and nothing
// else. Batches are made beforehand. Services, Postgres and this driver share two cores. What two
// cores could do follows from the CPU time of all of them, driver included; a round counts by the
// clock too when others had at most a tenth of the cores.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import pg from 'pg';
import { busySeconds, cpuSeconds, median, serverSeconds } from './core-share.mjs';

const LIMIT = 10_000;
/** A round counts by the clock when others had at most this share of the cores. */
const QUIET = 0.1;
const BATCH = 1_000;
const CLIENTS = 8;
/**
 * Batches of each client before anything is measured: what runs for the first time is compiled
 * meanwhile.
 */
const WARM_UP = 4;
const [BARE, ONE, FOUR] = ['bare INSERT', 'taken in, one chain', 'taken in, four chains'];
/** Gateways whose records are taken in: the service has to know them. */
export const INGEST_GATEWAYS = ['ingest', 'ingest-2', 'ingest-3', 'ingest-4'];

/**
 * @param on `managers` (replicas), `postgres`, `adminUrl`, `issuer`, `cores` that they all share
 * @param people `userIds`, `connectorIds`, `groupIds`, and how many `tools` a connector has
 * @param plan `batches` of a round, `rounds`, and whether to `check`
 */
export async function measureIngest(on, people, { batches, rounds, check }) {
  const { managers, postgres, cores } = on;
  const database = new pg.Pool({ connectionString: on.adminUrl, max: CLIENTS });
  database.on('error', () => undefined);
  await bareTable(database);
  const token = await on.issuer.token('gateway', ['gateway']);
  const agents = managers.map(() => new Agent({ keepAlive: true }));
  const kinds = {
    [BARE]: { gateways: ['bare'], written: JSON.stringify, send: bare },
    [ONE]: { gateways: INGEST_GATEWAYS.slice(0, 1), written: (calls) => JSON.stringify({ calls }), send: report },
    [FOUR]: { gateways: INGEST_GATEWAYS, written: (calls) => JSON.stringify({ calls }), send: report },
  };
  const results = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  const load = loadavg()[0].toFixed(1);
  const before = await counted();
  let sent = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, { gateways, written, send }] of Object.entries(kinds)) {
      const each = round === 0 ? WARM_UP : Math.max(1, Math.round(batches / CLIENTS));
      const measured = await run(gateways, written, send, each);
      if (round > 0) results[kind].push(measured);
      if (send === report) sent += CLIENTS * each * BATCH;
    }
  }
  print();
  const stored = (await counted()) - before;
  if (stored !== sent) throw new Error(`${sent} records were sent, ${stored} are there`);
  console.log(`\n${sent} records, as many in the sums, the chains without gaps`);
  await database.query('DROP TABLE bare_calls');
  await database.end();
  for (const agent of agents) agent.destroy();

  /** Lets all clients send their batches; the clients of a gateway go to all replicas. */
  async function run(gateways, written, send, each) {
    const queues = Array.from({ length: CLIENTS }, (_, client) => {
      const gateway = gateways[Math.floor(client / managers.length) % gateways.length];
      return Array.from({ length: each }, () => [gateway, written(batch(gateway, people))]);
    });
    const [usedBefore, busyBefore, begun] = [used(), busySeconds(cores), performance.now()];
    await Promise.all(
      queues.map(async (queue, client) => {
        for (const [gateway, body] of queue) await send(gateway, body, client % managers.length);
      }),
    );
    const passed = (performance.now() - begun) / 1_000;
    const own = used().map((seconds, at) => seconds - usedBefore[at]);
    const others = (busySeconds(cores) - busyBefore - own.reduce((sum, one) => sum + one)) / passed / cores.length;
    const records = CLIENTS * each * BATCH;
    const [services, server, driver] = own.map((seconds) => (seconds / records) * 1e6);
    return { rate: records / passed, services, server, driver, others: Math.max(0, others) };
  }

  async function report(gateway, body, replica) {
    const text = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const url = `${managers[replica].url}/gateway/v1/gateways/${gateway}/tool-calls`;
      const sending = request(url, { method: 'POST', agent: agents[replica], headers }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve(Buffer.concat(parts).toString()));
      });
      sending.on('error', reject).end(body);
    });
    const stored = text.split('"status":"stored"').length - 1;
    if (stored !== BATCH) throw new Error(`${stored} of ${BATCH} were stored: ${text.slice(0, 300)}`);
  }

  /** The same rows, by a program that does nothing else. */
  async function bare(_gateway, body) {
    await database.query(
      `INSERT INTO bare_calls SELECT gateway_id, now(), 1, gen_random_uuid(), now(), environment, connector_id, connector_name, tool_name, user_id, user_email,
         groups, decision, outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, sha256(tool_name::bytea), sha256(tool_name::bytea)
       FROM jsonb_populate_recordset(NULL::bare_calls, $1::jsonb)`,
      [body],
    );
  }

  /**
   * CPU time that the services, Postgres with all of its processes, and this driver have used, in
   * seconds.
   */
  function used() {
    const services = managers.reduce((total, { child }) => total + cpuSeconds(child.pid), 0);
    return [services, serverSeconds(postgres.pid), cpuSeconds(process.pid)];
  }

  function print() {
    const middle = (name, field) => median(results[name].map((one) => one[field]));
    const possible = (name) =>
      (cores.length * 1e6) / ['services', 'server', 'driver'].reduce((total, field) => total + middle(name, field), 0);
    console.log(
      `\nload average before ${load}, ${CLIENTS} clients, ${managers.length} services, medians of ${rounds} rounds\n`,
    );
    console.log(
      `| ${BATCH} records at a time | records/s | ratio to bare | CPU µs a record: services | Postgres | driver | 2 cores could do | others on the cores |`,
    );
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (const name of Object.keys(kinds)) {
      const rate = middle(name, 'rate');
      const cells = [name, Math.round(rate), (rate / middle(BARE, 'rate')).toFixed(2)];
      cells.push(...['services', 'server', 'driver'].map((field) => Math.round(middle(name, field))));
      cells.push(Math.round(possible(name)), `${Math.round(100 * middle(name, 'others'))} %`);
      console.log(`| ${cells.join(' | ')} |`);
    }
    if (!check) return;
    for (const name of [ONE, FOUR]) {
      const quiet = results[name].filter(({ others }) => others <= QUIET).map(({ rate }) => rate);
      console.log(`\n${name}: ${quiet.length} of ${rounds} rounds were judged by the clock too`);
      for (const [how, rate] of [
        ['by CPU time', possible(name)],
        ...(quiet.length > 0 ? [['by the clock', median(quiet)]] : []),
      ]) {
        if (rate >= LIMIT) continue;
        console.error(`${name}: ${Math.round(rate)} records a second ${how}, below ${LIMIT}`);
        process.exitCode = 1;
      }
    }
  }

  /** How many records are there. @throws {Error} where sums say otherwise, or a chain has gaps */
  async function counted() {
    const sumOf = (table, condition) =>
      `coalesce((SELECT sum(calls) FROM ${table} s WHERE s.gateway_id = g.id AND ${condition}), 0)::int`;
    const { rows } = await database.query(
      `SELECT g.id, (SELECT count(*) FROM tool_calls c WHERE c.gateway_id = g.id)::int AS records,
         coalesce((SELECT sum(last) FROM (SELECT max(sequence) AS last FROM tool_calls c WHERE c.gateway_id = g.id
           GROUP BY date_trunc('month', arrived_at AT TIME ZONE 'UTC')) AS chains), 0)::int AS linked,
         ${sumOf('tool_call_sums', `width = 'month' AND grain = 'tool'`)} AS tools, ${sumOf('tool_call_sums', `width = 'hour' AND grain = 'all'`)} AS hours,
         ${sumOf('tool_call_user_sums', 'TRUE')} AS people, ${sumOf('tool_call_group_days', `group_id = ''`)} AS days,
         ${sumOf('tool_call_group_hours', `group_id = ''`)} AS "groupHours"
       FROM unnest($1::text[]) AS g (id)`,
      [INGEST_GATEWAYS],
    );
    for (const { id, ...counts } of rows)
      if (new Set(Object.values(counts)).size > 1)
        throw new Error(`records and sums of ${id} differ: ${JSON.stringify(counts)}`);
    return rows.reduce((total, { records }) => total + records, 0);
  }
}

async function bareTable(database) {
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

/** Calls of people all over the directory, of the last minutes. */
function batch(gateway_id, { userIds, connectorIds, groupIds, tools }) {
  const some = (count) => Math.floor(Math.random() ** 2 * count);
  const everybody = groupIds.length - 1;
  return Array.from({ length: BATCH }, () => {
    const [user, connector] = [some(userIds.length), some(connectorIds.length)];
    return {
      call_id: uuidV7(),
      occurred_at: new Date(Date.now() - Math.random() * 60_000).toISOString(),
      gateway_id,
      environment: 'production',
      connector_id: connectorIds[connector],
      connector_name: `Connector ${connector}`,
      tool_name: `tool-${connector}-${some(tools)}`,
      user_id: userIds[user],
      user_email: `user-${user}@example.com`,
      groups: [
        { id: groupIds[user % everybody], name: `Group ${user % everybody}` },
        { id: groupIds[everybody], name: 'Everybody' },
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
