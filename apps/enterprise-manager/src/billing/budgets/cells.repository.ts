import { statement } from '@gatehouse/database/statement';
import { readDecimal } from '@gatehouse/money/decimal';
import { USD_DIGITS, type Usd, writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type CellAmounts, type CellKey, getCellId } from './cell.ts';

/** What happens to a cell. */
export interface CellChange extends CellKey {
  used: Usd;
  reserved: Usd;
}

/** What is reserved in a cell, and the limit that it must not pass with it, where there is one. */
export interface CellReservation extends CellKey {
  reserved: Usd;
  limit: Usd | undefined;
}

interface CellRow extends CellKey {
  used_usd: string;
  reserved_usd: string;
}

const KEYS = 'unnest($1::text[], $2::text[], $3::text[], $4::date[])';
const COLUMNS = 'c.subject_id, c.scope, c.period, c.period_start::text AS period_start, c.used_usd, c.reserved_usd';
const ORDER = 'subject_id COLLATE "C", scope, period, period_start';

/**
 * Each cell by its key, whatever Postgres thought of the table when it planned the statement;
 * LATERAL with OFFSET or a lock leaves it no other way.
 */
const CELL = `SELECT * FROM budget_cells
   WHERE subject_id = k.subject_id AND scope = k.scope AND period = k.period AND period_start = k.period_start`;

const READ = statement<CellRow>(
  `SELECT ${COLUMNS} FROM ${KEYS} AS k (subject_id, scope, period, period_start) CROSS JOIN LATERAL (${CELL} OFFSET 0) AS c`,
);
const ADD = statement(
  `INSERT INTO budget_cells (subject_id, scope, period, period_start)
   SELECT subject_id, scope, period, period_start FROM ${KEYS} AS k (subject_id, scope, period, period_start) ORDER BY ${ORDER}
   ON CONFLICT DO NOTHING`,
);
const LOCK = statement<CellRow>(
  `SELECT ${COLUMNS} FROM (SELECT * FROM ${KEYS} AS given (subject_id, scope, period, period_start) ORDER BY ${ORDER}) AS k
   CROSS JOIN LATERAL (${CELL} FOR NO KEY UPDATE) AS c`,
);
const CHANGE = statement<CellRow>(
  `WITH c AS (
     INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, used_usd, reserved_usd)
     SELECT subject_id, scope, period, period_start, used, reserved
     FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::numeric[], $6::numeric[]) AS k (subject_id, scope, period, period_start, used, reserved)
     ORDER BY ${ORDER}
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE
     SET used_usd = c.used_usd + EXCLUDED.used_usd, reserved_usd = c.reserved_usd + EXCLUDED.reserved_usd
     RETURNING *
   ) SELECT ${COLUMNS} FROM c WHERE $7::boolean OR c.used_usd < 0 OR c.reserved_usd < 0`,
);
/** What a cell holds when it was taken from is known only then: nobody held it before. */
const TAKE = statement<{ passed: boolean }>(
  `WITH given AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::numeric[], $6::numeric[])
       AS k (subject_id, scope, period, period_start, reserved, ceiling)
   ), taken AS (
     INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, reserved_usd)
     SELECT subject_id, scope, period, period_start, reserved FROM given ORDER BY ${ORDER}
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET reserved_usd = c.reserved_usd + EXCLUDED.reserved_usd
     RETURNING c.subject_id, c.scope, c.period, c.period_start, c.used_usd + c.reserved_usd AS held
   )
   SELECT COALESCE(bool_or(taken.held > given.ceiling), FALSE) AS passed
   FROM taken JOIN given USING (subject_id, scope, period, period_start)`,
);

/**
 * The cells in the database. Whoever locks or changes several does it here, in one statement and in
 * the order of their key: two transactions then wait for each other, and never in a circle. A
 * transaction calls `lock` once and then changes those, or calls `change` or `take` once.
 */
@Injectable()
export class CellsRepository {
  /**
   * What cells hold, by `getCellId`, without waiting for anybody; a cell that nobody used is not among
   * them.
   */
  async read(manager: EntityManager, keys: readonly CellKey[]): Promise<Map<string, CellAmounts>> {
    return byId(await READ.rows(manager, columnsOf(keys)));
  }

  /**
   * What cells hold, by `getCellId`, held until the transaction ends; those that nobody used yet are
   * made.
   */
  async lock(manager: EntityManager, keys: readonly CellKey[]): Promise<Map<string, CellAmounts>> {
    const columns = columnsOf(keys);
    const there = await this.read(manager, keys);
    if (keys.some((key) => !there.has(getCellId(key)))) await ADD.rows(manager, columns);
    return byId(await LOCK.rows(manager, columns));
  }

  /**
   * Reserves in cells, each named once, and makes those that are not there.
   * @returns whether all of them have room for it; where one has not, the transaction must end
   */
  async reserve(manager: EntityManager, taken: readonly CellReservation[]): Promise<boolean> {
    const row = await TAKE.row(manager, [
      ...columnsOf(taken),
      taken.map(({ reserved }) => writeUsd(reserved)),
      taken.map(({ limit }) => (limit === undefined ? null : writeUsd(limit))),
    ]);
    return row?.passed === false;
  }

  /**
   * Adds to cells, each named once, and makes those that are not there.
   * @param told whether what they hold then matters to anybody; for thousands of cells it costs as
   * much as the change
   * @returns what they hold then, by `getCellId`; nothing for whom it does not matter
   * @throws DecimalError, which must end the transaction, when a cell would hold less than nothing.
   * A constraint could not say this: it judges what is added.
   */
  async applyChanges(
    manager: EntityManager,
    changes: readonly CellChange[],
    told = false,
  ): Promise<Map<string, CellAmounts>> {
    return byId(
      await CHANGE.rows(manager, [
        ...columnsOf(changes),
        changes.map(({ used }) => writeUsd(used)),
        changes.map(({ reserved }) => writeUsd(reserved)),
        told,
      ]),
    );
  }
}

const columnsOf = (keys: readonly CellKey[]) => [
  keys.map(({ subject_id }) => subject_id),
  keys.map(({ scope }) => scope),
  keys.map(({ period }) => period),
  keys.map(({ period_start }) => period_start),
];

/**
 * A cell's column has room for more than any one amount: many large ones must not make it
 * unreadable.
 */
export const readAmount = (text: string): Usd => readDecimal(text, { fraction: USD_DIGITS, integer: 20 });

const byId = (rows: readonly CellRow[]): Map<string, CellAmounts> =>
  new Map(
    rows.map((row) => [getCellId(row), { used: readAmount(row.used_usd), reserved: readAmount(row.reserved_usd) }]),
  );
