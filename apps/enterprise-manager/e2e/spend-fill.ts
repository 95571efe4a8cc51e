import { createHash } from 'node:crypto';
import pg from 'pg';
import { copyIn } from '@gatehouse/database/driver';
import { Readable } from 'node:stream';
import { buildSumStatements } from './spend-sums.ts';

/** The charges to create. Equal requests create equal charges. */
export interface FillRequest {
  /** The range of charge numbers, with `last` excluded. A later range adds to a database. */
  first?: number;
  last: number;
  /** The `subject_id` of each user; the first users spend more. */
  people: readonly string[];
  /** The ids of groups; the first pays a fifth of all charges of groups. */
  groups: readonly string[];
  models: number;
  /** The range of charge times, which are spread evenly. */
  from: Date;
  to: Date;
}

/** One of this many events uses the rare model and was blocked downstream. */
const RARE = 50_000;
const ROWS_A_CHUNK = 500;
const CATALOG = '00000000-0000-7000-8000-0000000000ca';
const PROVIDERS = ['anthropic', 'openai', 'google'];

/** Returns the name of a model by its number; the last model is rare. */
export const modelName = (at: number): string => `model-${String(at).padStart(2, '0')}`;

/** Returns a UUID that depends on the text only. */
export function deriveUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Fills a database with consistent events, charges, budget cells and sums. COPY writes the rows.
 * Indexes without a constraint are created after the rows, which is much faster.
 * @param adminUrl the connection of the superuser
 */
export async function fillSpend(adminUrl: string, request: FillRequest): Promise<void> {
  await runWithClient(adminUrl, async (client) => {
    await client.query('SELECT ensure_usage_partitions($1::date, $2::date)', [request.from, request.to]);
  });
  await runWithoutIndexes(adminUrl, ['usage_events'], () =>
    runWithClient(adminUrl, (client) =>
      copyIn(client, `COPY usage_events (${COLUMNS}) FROM STDIN`, Readable.from(writeLines(request))),
    ),
  );
  await runWithoutIndexes(adminUrl, SUMS, () => rebuildSums(adminUrl));
  await Promise.all(
    [SUMS.join(', '), 'usage_events'].map((tables) =>
      runWithClient(adminUrl, (client) => client.query(`VACUUM (ANALYZE) ${tables}`)),
    ),
  );
}

const SUMS = [
  'budget_cells',
  'spend_daily',
  'group_spend_daily',
  'group_spend_by_person',
  'spend_by_model',
  'spend_totals',
];

/** Rebuilds all budget cells and sums from the charges, each table on its own connection. */
async function rebuildSums(adminUrl: string): Promise<void> {
  await runWithClient(adminUrl, (client) => client.query(`TRUNCATE ${SUMS.join(', ')}`));
  await Promise.all(
    buildSumStatements('charges').map((statement) =>
      runWithClient(adminUrl, async (client) => {
        await client.query(`SET work_mem = '256MB'`);
        // The tables are empty; the check for conflicts is unnecessary and would double the time.
        await client.query(statement.replace(/ON CONFLICT[^]*$/, ''));
      }),
    ),
  );
}

/**
 * Drops the indexes of tables during the work and creates them again afterwards. The index of a
 * primary key is dropped only if the table has no partitions.
 */
async function runWithoutIndexes(
  adminUrl: string,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const made = new Map<string, string[]>();
  await runWithClient(adminUrl, async (client) => {
    for (const table of tables) {
      const { rows } = await client.query<{ drop: string; make: string }>(
        `SELECT format(CASE WHEN c.oid IS NULL THEN 'DROP INDEX %3$s' ELSE 'ALTER TABLE %1$s DROP CONSTRAINT %2$I' END, t.oid::regclass, c.conname, i.indexrelid::regclass) AS drop,
           CASE WHEN c.oid IS NULL THEN replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
             ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.oid::regclass, c.conname, pg_get_constraintdef(c.oid)) END AS make
         FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
         WHERE t.oid = $1::regclass AND (c.oid IS NULL OR t.relkind = 'r')`,
        [table],
      );
      for (const { drop } of rows) await client.query(drop);
      made.set(
        table,
        rows.map(({ make }) => make),
      );
    }
  });
  await work();
  await Promise.all(
    [...made.values()].map((texts) =>
      runWithClient(adminUrl, async (client) => {
        await client.query(`SET maintenance_work_mem = '256MB'`);
        for (const text of texts) await client.query(text);
      }),
    ),
  );
}

const COLUMNS =
  'event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_groups, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage, payer_scope, payer_subject_id, charge_period, charged_usd, basis, usage, pricing_catalog_id';

interface GeneratedCharge {
  time: string;
  id: string;
  person: string;
  group: string | undefined;
  provider: string;
  model: string;
  outcome: string;
  nanos: number;
  tokens: number;
}

function* writeLines(request: FillRequest): Iterable<string> {
  let chunk = '';
  for (let number = request.first ?? 0, rows = 1; number < request.last; number += 1, rows += 1) {
    chunk += `${formatLine(createCharge(request, number))}\n`;
    if (rows % ROWS_A_CHUNK !== 0) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const formatLine = ({ time, id, person, group, provider, model, outcome, nanos, tokens }: GeneratedCharge): string =>
  [
    time,
    id,
    `i-${id}`,
    1,
    time,
    'gateway',
    'https://issuer.example.com',
    person,
    group === undefined ? '{}' : `{${group}}`,
    provider,
    'chat',
    model,
    model,
    outcome,
    outcome === 'delivered' ? 200 : 502,
    1200,
    `{"prompt_tokens":${tokens},"completion_tokens":20}`,
    group === undefined ? 'user' : 'group',
    group ?? person,
    'month',
    `0.${String(nanos).padStart(9, '0')}`,
    'reported',
    `{"input":${tokens},"output":20}`,
    CATALOG,
  ].join('\t');

/**
 * Creates the charge of a number. Times increase with the numbers. The first users and models are
 * more frequent. Groups pay 40 of 100 charges.
 */
function createCharge(
  { first = 0, last, people, groups, models, from, to }: FillRequest,
  number: number,
): GeneratedCharge {
  const next = generator(number);
  const width = to.getTime() - from.getTime();
  const at = from.getTime() + Math.floor(((number - first + next()) / (last - first)) * width);
  const person = Math.floor(next() ** 2 * people.length);
  const rare = number % RARE === RARE / 2;
  const model = rare ? models - 1 : Math.floor(next() ** 2 * (models - 1));
  const [byGroup, byLargest, ending] = [next(), next(), next()];
  const group = byGroup < 0.4 ? groups[byLargest < 0.2 ? 0 : person % groups.length] : undefined;
  const failed = ending < 0.985 ? 'client_disconnect' : 'upstream_error';
  const delivered = ending < 0.97 ? 'delivered' : failed;
  const [a, b] = [createHex(next), createHex(next)];
  return {
    time: new Date(at).toISOString(),
    id: `${a}-${b.slice(0, 4)}-7${b.slice(4, 7)}-8${a.slice(5)}-${String(number).padStart(12, '0')}`,
    person: people[person] ?? '',
    group,
    provider: PROVIDERS[model % PROVIDERS.length] ?? '',
    model: modelName(model),
    outcome: rare ? 'blocked_downstream' : delivered,
    nanos: Math.floor(next() ** 3 * 50_000_000),
    tokens: Math.floor(next() * 5_000),
  };
}

const createHex = (next: () => number): string =>
  Math.floor(next() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Returns a generator of pseudorandom numbers from 0 to below 1 (mulberry32). */
function generator(seed: number): () => number {
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
