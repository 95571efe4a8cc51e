import { statement } from '@gatehouse/database/statement';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Charge } from './usage-event.ts';

/**
 * Number of rows over which a hot sum is spread, so that as many concurrent batches, on all
 * replicas, do not wait for each other.
 */
const STRIPES = 16;
/** First key of the advisory locks of stripes; the second key is the stripe. */
const STRIPE_LOCKS = 7_046_041;

/**
 * Locks the first free stripe until the transaction ends, without a wait. With few concurrent
 * batches, few stripes have rows, and readers read few rows.
 */
const LOCK_FREE_STRIPE = statement<{ stripe: number }>(
  `SELECT stripe FROM generate_series(0, ${STRIPES - 1}) AS stripe WHERE pg_try_advisory_xact_lock(${STRIPE_LOCKS}, stripe) LIMIT 1`,
);

/** The spend of one user, day, model and payer. */
type DailySpend = Pick<Charge, 'payer' | 'auth_subject' | 'provider' | 'model'> & {
  day: string;
  charges: number;
  charged: Usd;
};

/** The increment of one row of a table of sums. */
interface Increment {
  /** The values of the key columns, in order. */
  key: readonly string[];
  charges: number;
  charged: Usd;
}

const upsert = (table: string, columns: readonly string[], dates: readonly string[], striped: boolean) => {
  const names = [...columns, ...(striped ? ['stripe'] : [])].join(', ');
  const typed = columns.map((name, at) => `$${at + 1}::${dates.includes(name) ? 'date' : 'text'}[]`);
  const [count, usd, stripe] = [columns.length + 1, columns.length + 2, columns.length + 3];
  const ordered = columns.map((name) => (dates.includes(name) ? name : `${name} COLLATE "C"`)).join(', ');
  return statement(`
    INSERT INTO ${table} AS s (${names}, charge_count, charged_usd)
    SELECT ${columns.join(', ')}${striped ? `, $${stripe}::smallint` : ''}, charge_count, charged_usd
    FROM unnest(${typed.join(', ')}, $${count}::bigint[], $${usd}::numeric[]) AS k (${columns.join(', ')}, charge_count, charged_usd)
    ORDER BY ${ordered}
    ON CONFLICT (${names}) DO UPDATE SET charge_count = s.charge_count + EXCLUDED.charge_count, charged_usd = s.charged_usd + EXCLUDED.charged_usd`);
};

/** The tables of sums, in the order in which each transaction writes them. */
const TABLES: readonly {
  columns: readonly string[];
  striped: boolean;
  add: ReturnType<typeof upsert>;
  getKeys: (spent: DailySpend) => readonly (readonly string[])[];
}[] = [
  createRollupTable(
    'spend_daily',
    ['day', 'subject_id', 'scope', 'auth_subject', 'provider', 'model'],
    false,
    (spent) => [
      [spent.day, spent.payer.subject_id, spent.payer.scope, spent.auth_subject, spent.provider, spent.model],
    ],
  ),
  createRollupTable('group_spend_daily', ['subject_id', 'day', 'provider', 'model'], false, (spent) =>
    spent.payer.scope === 'group' ? [[spent.payer.subject_id, spent.day, spent.provider, spent.model]] : [],
  ),
  createRollupTable(
    'group_spend_by_person',
    ['subject_id', 'period', 'period_start', 'auth_subject'],
    false,
    (spent) =>
      spent.payer.scope === 'group'
        ? [
            [spent.payer.subject_id, 'month', `${spent.day.slice(0, 7)}-01`, spent.auth_subject],
            [spent.payer.subject_id, 'year', `${spent.day.slice(0, 4)}-01-01`, spent.auth_subject],
          ]
        : [],
  ),
  createRollupTable('spend_by_model', ['model', 'provider', 'scope', 'day'], true, (spent) => [
    [spent.model, spent.provider, spent.payer.scope, spent.day],
  ]),
  createRollupTable('spend_totals', ['day', 'scope'], true, (spent) => [[spent.day, spent.payer.scope]]),
];

function createRollupTable(
  name: string,
  columns: readonly string[],
  striped: boolean,
  getKeys: (spent: DailySpend) => readonly (readonly string[])[],
) {
  return { columns, striped, getKeys, add: upsert(name, columns, ['day', 'period_start'], striped) };
}

/** The sums of charges by day, month and year, written in the transaction of the charges. */
@Injectable()
export class SpendRollupsRepository {
  /**
   * Adds charges to all of their sums. Each row is written once, in the order of its key, so
   * concurrent transactions cannot deadlock. Hot rows are those of one stripe.
   */
  async add(manager: EntityManager, charges: readonly Charge[]): Promise<void> {
    if (charges.length === 0) return;
    const row = await LOCK_FREE_STRIPE.row(manager, []);
    const stripe = row?.stripe ?? Math.floor(Math.random() * STRIPES);
    const spend = groupByDay(charges);
    for (const { columns, striped, add, getKeys } of TABLES) {
      const increments = computeIncrements(spend, getKeys);
      if (increments.length === 0) continue;
      await add.rows(manager, [
        ...columns.map((_, at) => increments.map(({ key }) => key[at])),
        increments.map(({ charges: count }) => count),
        increments.map(({ charged }) => writeUsd(charged)),
        ...(striped ? [stripe] : []),
      ]);
    }
  }
}

/** Adds up charges that agree in all key columns of the sums. */
function groupByDay(charges: readonly Charge[]): DailySpend[] {
  const found = new Map<string, DailySpend>();
  for (const { event_time, payer, auth_subject, provider, model, charged } of charges) {
    const day = event_time.slice(0, 10);
    // Texts of the database never contain this character.
    const text = `${day}\0${payer.scope}\0${payer.subject_id}\0${auth_subject}\0${provider}\0${model}`;
    const spent = found.get(text);
    if (spent === undefined) found.set(text, { day, payer, auth_subject, provider, model, charges: 1, charged });
    else {
      spent.charges += 1;
      spent.charged += charged;
    }
  }
  return [...found.values()];
}

function computeIncrements(
  all: readonly DailySpend[],
  getKeys: (spent: DailySpend) => readonly (readonly string[])[],
): Increment[] {
  const rows = new Map<string, Increment>();
  for (const spent of all) {
    for (const key of getKeys(spent)) {
      const text = key.join('\0');
      const row = rows.get(text);
      if (row === undefined) rows.set(text, { key, charges: spent.charges, charged: spent.charged });
      else {
        row.charges += spent.charges;
        row.charged += spent.charged;
      }
    }
  }
  return [...rows.values()];
}
