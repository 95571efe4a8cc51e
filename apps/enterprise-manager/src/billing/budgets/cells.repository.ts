import { statement } from '@gatehouse/database/statement';
import { readDecimal } from '@gatehouse/money/decimal';
import { USD_DIGITS, type Usd, writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type CellAmounts, type CellKey, getCellId } from './cell.ts';

/** A change of a cell: amounts to add, which can be negative. */
export interface CellChange extends CellKey {
  used: Usd;
  reserved: Usd;
}

/** An amount to reserve in a cell, and the limit of the cell; undefined without a limit. */
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
 * One cell by its key. LATERAL with OFFSET or a lock forces an index lookup, with any statistics
 * of the table at the time of planning.
 */
const CELL = `SELECT * FROM budget_cells
   WHERE subject_id = k.subject_id AND scope = k.scope AND period = k.period AND period_start = k.period_start`;

const READ = statement<CellRow>(
  `SELECT ${COLUMNS} FROM ${KEYS} AS k (subject_id, scope, period, period_start) CROSS JOIN LATERAL (${CELL} OFFSET 0) AS c`,
);
const CREATE = statement(
  `INSERT INTO budget_cells (subject_id, scope, period, period_start)
   SELECT subject_id, scope, period, period_start FROM ${KEYS} AS k (subject_id, scope, period, period_start) ORDER BY ${ORDER}
   ON CONFLICT DO NOTHING`,
);
const LOCK = statement<CellRow>(
  `SELECT ${COLUMNS} FROM (SELECT * FROM ${KEYS} AS given (subject_id, scope, period, period_start) ORDER BY ${ORDER}) AS k
   CROSS JOIN LATERAL (${CELL} FOR NO KEY UPDATE) AS c`,
);
const APPLY_CHANGES = statement<CellRow>(
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
/** The cells are not locked before, so the statement checks the limits after the addition. */
const RESERVE = statement<{ exceeded: boolean }>(
  `WITH given AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::numeric[], $6::numeric[])
       AS k (subject_id, scope, period, period_start, reserved, ceiling)
   ), changed AS (
     INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, reserved_usd)
     SELECT subject_id, scope, period, period_start, reserved FROM given ORDER BY ${ORDER}
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET reserved_usd = c.reserved_usd + EXCLUDED.reserved_usd
     RETURNING c.subject_id, c.scope, c.period, c.period_start, c.used_usd + c.reserved_usd AS held
   )
   SELECT COALESCE(bool_or(changed.held > given.ceiling), FALSE) AS exceeded
   FROM changed JOIN given USING (subject_id, scope, period, period_start)`,
);

/**
 * The stored budget cells. Each method locks or changes several cells in one statement, in the
 * order of their key. A transaction calls `lock` once and then changes those cells, or calls
 * `applyChanges` or `reserve` once (docs/decisions/0071-lock-order-of-billing.md).
 */
@Injectable()
export class CellsRepository {
  /** Reads cells by `getCellId`, without waiting for locks. Unused cells are missing. */
  async read(manager: EntityManager, keys: readonly CellKey[]): Promise<Map<string, CellAmounts>> {
    return toAmounts(await READ.rows(manager, toKeyColumns(keys)));
  }

  /** Reads cells by `getCellId`, creates missing ones and locks all until the transaction ends. */
  async lock(manager: EntityManager, keys: readonly CellKey[]): Promise<Map<string, CellAmounts>> {
    const columns = toKeyColumns(keys);
    const existing = await this.read(manager, keys);
    if (keys.some((key) => !existing.has(getCellId(key)))) await CREATE.rows(manager, columns);
    return toAmounts(await LOCK.rows(manager, columns));
  }

  /**
   * Reserves amounts in distinct cells and creates missing cells.
   * @returns whether no limit is exceeded; otherwise the transaction must be rolled back
   */
  async reserve(manager: EntityManager, reservations: readonly CellReservation[]): Promise<boolean> {
    const row = await RESERVE.row(manager, [
      ...toKeyColumns(reservations),
      reservations.map(({ reserved }) => writeUsd(reserved)),
      reservations.map(({ limit }) => (limit === undefined ? null : writeUsd(limit))),
    ]);
    return row?.exceeded === false;
  }

  /**
   * Adds amounts to distinct cells and creates missing cells.
   * @param returnsAll whether all cells are returned; for thousands of cells, reading them costs as
   * much as the change
   * @returns the changed cells by `getCellId`; empty without `returnsAll`
   * @throws DecimalError, which must end the transaction, when an amount becomes negative. A
   * constraint cannot check this, because it sees the added amount before the conflict.
   */
  async applyChanges(
    manager: EntityManager,
    changes: readonly CellChange[],
    returnsAll = false,
  ): Promise<Map<string, CellAmounts>> {
    return toAmounts(
      await APPLY_CHANGES.rows(manager, [
        ...toKeyColumns(changes),
        changes.map(({ used }) => writeUsd(used)),
        changes.map(({ reserved }) => writeUsd(reserved)),
        returnsAll,
      ]),
    );
  }
}

/** Splits keys into the columns of a statement. */
export const toKeyColumns = (keys: readonly CellKey[]) => [
  keys.map(({ subject_id }) => subject_id),
  keys.map(({ scope }) => scope),
  keys.map(({ period }) => period),
  keys.map(({ period_start }) => period_start),
];

/** Reads the amount of a cell, which can be larger than any single amount in USD. */
export const readAmount = (text: string): Usd => readDecimal(text, { fraction: USD_DIGITS, integer: 20 });

const toAmounts = (rows: readonly CellRow[]): Map<string, CellAmounts> =>
  new Map(
    rows.map((row) => [getCellId(row), { used: readAmount(row.used_usd), reserved: readAmount(row.reserved_usd) }]),
  );
