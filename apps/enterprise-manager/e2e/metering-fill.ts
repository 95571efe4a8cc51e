import { createHash } from 'node:crypto';
import pg from 'pg';
import { sumsOfRecords } from '../src/database/migrations/1763683232210-create-tool-call-sums.ts';
import { buildGroupHoursSql } from '../src/database/migrations/1763683232600-create-hourly-group-sums.ts';
import { copyIn } from '@gatehouse/database/driver';
import { Readable } from 'node:stream';
import { deriveUuid } from './spend-fill.ts';

/** The records to create. Equal requests create equal records. */
export interface FillRequest {
  gateway_id: string;
  /** The range of record numbers, with `last` excluded. A later range adds to a database. */
  first?: number;
  last: number;
  users: number;
  connectors: number;
  /** The number of tools of each connector. */
  tools: number;
  groups: number;
  /** The range of record times, which are spread evenly. */
  from: Date;
  to: Date;
}

/** Returns the id of a connector by its number. */
export const createConnectorId = (at: number): string => deriveUuid(`connector ${at}`);
export const createUserId = (at: number): string => deriveUuid(`user ${at}`);

const COLUMNS =
  'gateway_id, arrived_at, sequence, call_id, occurred_at, environment, connector_id, connector_name, tool_name, user_id, user_email, groups, decision, outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, prev_hash, record_hash';
const SUMS = [
  'tool_call_sums',
  'tool_call_user_sums',
  'tool_call_group_days',
  'tool_call_group_hours',
  'tool_call_users',
];
/** The statements with which the migrations fill the sums. */
const FILLED = [
  ...sumsOfRecords('tool_calls').map((statement) => statement.replace('tool_call_group_sums', 'tool_call_group_days')),
  buildGroupHoursSql('tool_calls'),
];
const ROWS_A_CHUNK = 500;

/**
 * Fills a database with records and consistent sums. Hashes have the real length and do not link
 * records.
 * @param adminUrl the connection of the superuser
 */
export async function fillToolCalls(adminUrl: string, request: FillRequest): Promise<void> {
  await runWithClient(adminUrl, async (client) => {
    await client.query('SELECT ensure_tool_call_partitions($1::date, $2::date)', [request.from, request.to]);
    await copyIn(client, `COPY tool_calls (${COLUMNS}) FROM STDIN`, Readable.from(writeLines(request)));
    await client.query(`TRUNCATE ${SUMS.join(', ')}`);
  });
  await Promise.all(
    FILLED.map((statement) =>
      runWithClient(adminUrl, async (client) => {
        await client.query(`SET work_mem = '256MB'`);
        await client.query(statement);
      }),
    ),
  );
  await runWithClient(adminUrl, (client) => client.query(`VACUUM (ANALYZE) tool_calls, ${SUMS.join(', ')}`));
}

function* writeLines(request: FillRequest): Iterable<string> {
  const ids = {
    connectors: Array.from({ length: request.connectors }, (_, at) => createConnectorId(at)),
    users: Array.from({ length: request.users }, (_, at) => createUserId(at)),
  };
  let chunk = '';
  for (let number = request.first ?? 0, rows = 1; number < request.last; number += 1, rows += 1) {
    chunk += `${formatLine(request, ids, number)}\n`;
    if (rows % ROWS_A_CHUNK !== 0) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function formatLine(
  { gateway_id, first = 0, last, groups, tools, from, to }: FillRequest,
  ids: { connectors: string[]; users: string[] },
  number: number,
): string {
  const next = createGenerator(number);
  const width = to.getTime() - from.getTime();
  const time = new Date(
    from.getTime() + Math.floor(((number - first + next()) / (last - first)) * width),
  ).toISOString();
  const user = Math.floor(next() ** 2 * ids.users.length);
  const connector = Math.floor(next() ** 2 * ids.connectors.length);
  const tool = Math.floor(next() ** 2 * tools);
  const denied = next() < 0.03;
  const failed = next() < 0.05;
  const digest = createHash('md5').update(String(number)).digest('hex');
  const held = [user % groups, groups].map((at) => `{"id": "group-${at}", "name": "Group ${at}"}`);
  return [
    gateway_id,
    time,
    number + 1,
    `01990000-${digest.slice(0, 4)}-7${digest.slice(4, 7)}-8${digest.slice(7, 10)}-${String(number).padStart(12, '0')}`,
    time,
    next() < 0.8 ? 'production' : 'staging',
    ids.connectors[connector],
    `Connector ${connector}`,
    `tool-${connector}-${tool}`,
    ids.users[user],
    `user-${user}@example.com`,
    `[${held.join(', ')}]`,
    denied ? 'denied' : 'allowed',
    denied || failed ? 'error' : 'ok',
    denied ? 'denied' : 'invocation',
    denied ? 'f' : 't',
    denied ? 'refused before the upstream' : 'reached the upstream',
    digest.slice(0, 12),
    Math.floor(next() * 900),
    `${digest}${digest}`,
    `\\\\x${digest}${digest}`,
    `\\\\x${digest}${digest}`,
  ].join('\t');
}

/** Returns a generator of pseudorandom numbers from 0 to below 1 (mulberry32). */
function createGenerator(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function runWithClient(adminUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
