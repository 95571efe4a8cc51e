import { statement } from '@gatehouse/database/statement';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Budget, type BudgetKey, getAuditName, getPrecedenceAuditName } from './budget.ts';
import type { BudgetScope } from './cell.ts';
import type { PeriodLimit } from './payer.ts';
import type { Period } from './period.ts';

/** The default user budget, with its version. */
export interface DefaultBudget extends PeriodLimit {
  version: number;
}

interface BudgetRow extends BudgetKey {
  limit_usd: string;
  precedence: number | null;
}

const LIST = statement<BudgetRow>(
  `SELECT b.scope, b.subject_id, b.period, b.limit_usd, p.precedence
   FROM budgets b LEFT JOIN group_precedences p ON b.scope = 'group' AND p.subject_id = b.subject_id
   ORDER BY b.scope, b.subject_id, b.period`,
);
/**
 * Skips unchanged budgets, which are nearly all budgets of a large collection: a locked row is a
 * written row.
 */
const PUT = `
  INSERT INTO budgets AS b (scope, subject_id, period, limit_usd)
  SELECT w.scope, w.subject_id, w.period, w.limit_usd FROM wanted w
  WHERE NOT EXISTS (
    SELECT FROM budgets h WHERE h.scope = w.scope AND h.subject_id = w.subject_id AND h.period = w.period AND h.limit_usd = w.limit_usd)
  ON CONFLICT (scope, subject_id, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd
  RETURNING b.scope, b.subject_id, b.period`;
const WANTED =
  'wanted AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[]) AS w (scope, subject_id, period, limit_usd))';
const PUT_WANTED = statement<BudgetKey>(`WITH ${WANTED} ${PUT}`);
const REPLACE = statement<BudgetKey>(
  `WITH ${WANTED}, deleted AS (
     DELETE FROM budgets b
     WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.scope = b.scope AND w.subject_id = b.subject_id AND w.period = b.period)
     RETURNING b.scope, b.subject_id, b.period),
   written AS (${PUT})
   SELECT scope, subject_id, period FROM deleted UNION ALL SELECT scope, subject_id, period FROM written ORDER BY 1, 2, 3`,
);
const DELETE = statement<BudgetKey>(
  'DELETE FROM budgets WHERE scope = $1 AND subject_id = $2 RETURNING scope, subject_id, period',
);
const PUT_PRECEDENCES = statement<{ subject_id: string }>(
  `INSERT INTO group_precedences AS p (subject_id, precedence) SELECT * FROM unnest($1::text[], $2::integer[])
   ON CONFLICT (subject_id) DO UPDATE SET precedence = EXCLUDED.precedence WHERE p.precedence <> EXCLUDED.precedence
   RETURNING p.subject_id`,
);
const DELETE_PRECEDENCE = statement<{ subject_id: string }>(
  'DELETE FROM group_precedences WHERE subject_id = $1 RETURNING subject_id',
);
const DELETE_UNUSED_PRECEDENCES = statement<{ subject_id: string }>(
  `DELETE FROM group_precedences p WHERE NOT EXISTS (SELECT FROM budgets b WHERE b.scope = 'group' AND b.subject_id = p.subject_id) RETURNING p.subject_id`,
);
const VERSION = statement<{ version: number }>('SELECT version FROM budgets_version');
const GET_DEFAULT = statement<{ period: Period; limit_usd: string; version: number }>(
  'SELECT period, limit_usd, version FROM default_user_budget',
);
const PUT_DEFAULT = statement(
  `INSERT INTO default_user_budget AS d (period, limit_usd) VALUES ($1, $2)
   ON CONFLICT (only_row) DO UPDATE SET period = EXCLUDED.period, limit_usd = EXCLUDED.limit_usd, version = EXCLUDED.version
   WHERE (d.period, d.limit_usd) <> (EXCLUDED.period, EXCLUDED.limit_usd)`,
);
const DELETE_DEFAULT = statement('DELETE FROM default_user_budget');

/**
 * The stored budgets. Call `lockBudgetsExclusive` before each write. SQL by hand, because a write
 * changes a whole collection and returns its changes in one statement.
 */
@Injectable()
export class BudgetsRepository {
  /** Lists all budgets, ordered by scope, subject and period. */
  async list(manager: EntityManager): Promise<Budget[]> {
    return (await LIST.rows(manager)).map(toBudget);
  }

  /** Returns the version of all budgets. Each change increases it. */
  async getVersion(manager: EntityManager): Promise<number> {
    const row = await VERSION.row(manager);
    if (row === undefined) throw new Error('budgets have no version');
    return row.version;
  }

  /**
   * Replaces all budgets. A group keeps its precedence unless a budget contains another one.
   * @returns the audit names of the changes
   */
  async replaceAll(manager: EntityManager, budgets: readonly Budget[]): Promise<string[]> {
    const changed = await REPLACE.rows(manager, toColumns(budgets));
    const updated = await this.setPrecedences(manager, budgets);
    return [
      ...changed.map(getAuditName),
      ...listAuditNames([...updated, ...(await DELETE_UNUSED_PRECEDENCES.rows(manager))]),
    ];
  }

  /** Sets one limit. @returns the audit names of the changes */
  async put(manager: EntityManager, budget: Budget): Promise<string[]> {
    const changed = await PUT_WANTED.rows(manager, toColumns([budget]));
    return [...changed.map(getAuditName), ...listAuditNames(await this.setPrecedences(manager, [budget]))];
  }

  /** Deletes all limits of a subject. @returns the audit names of the changes */
  async delete(manager: EntityManager, scope: BudgetScope, subjectId: string): Promise<string[]> {
    const deleted = await DELETE.rows(manager, [scope, subjectId]);
    const precedences = scope === 'group' ? await DELETE_PRECEDENCE.rows(manager, [subjectId]) : [];
    return [...deleted.map(getAuditName).sort(), ...listAuditNames(precedences)];
  }

  /** Returns the default user budget; undefined when there is none. */
  async findDefault(manager: EntityManager): Promise<DefaultBudget | undefined> {
    const row = await GET_DEFAULT.row(manager);
    return row && { period: row.period, limit: readUsd(row.limit_usd), version: row.version };
  }

  /** Sets the default user budget. An equal one keeps its version. */
  async putDefault(manager: EntityManager, { period, limit }: PeriodLimit): Promise<void> {
    await PUT_DEFAULT.rows(manager, [period, writeUsd(limit)]);
  }

  /** Deletes the default user budget. */
  async deleteDefault(manager: EntityManager): Promise<void> {
    await DELETE_DEFAULT.rows(manager);
  }

  /** @returns the groups whose precedence changed */
  private async setPrecedences(manager: EntityManager, budgets: readonly Budget[]): Promise<{ subject_id: string }[]> {
    const given = new Map(
      budgets.flatMap(({ subject_id, precedence }) =>
        precedence === undefined ? [] : [[subject_id, precedence] as const],
      ),
    );
    return given.size > 0 ? PUT_PRECEDENCES.rows(manager, [[...given.keys()], [...given.values()]]) : [];
  }
}

const listAuditNames = (groups: readonly { subject_id: string }[]): string[] =>
  groups.map(({ subject_id }) => getPrecedenceAuditName(subject_id)).sort();

const toColumns = (budgets: readonly Budget[]) => [
  budgets.map(({ scope }) => scope),
  budgets.map(({ subject_id }) => subject_id),
  budgets.map(({ period }) => period),
  budgets.map(({ limit }) => writeUsd(limit)),
];

const toBudget = ({ limit_usd, precedence, ...key }: BudgetRow): Budget => ({
  ...key,
  limit: readUsd(limit_usd),
  ...(precedence !== null && { precedence }),
});
