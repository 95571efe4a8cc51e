import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BudgetCellsPage, BudgetCellsQuery } from './budget-summary.dto.ts';
import { BudgetSummaryRepository } from './budget-summary.repository.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import type { BudgetScope } from './cell.ts';
import { type LimitedCell, getOrdinal, toCellDto } from './cell-view.ts';

/** The order of the list; within a scope, cells are ordered by subject and period. */
const SCOPES = ['group', 'user'] as const satisfies BudgetScope[];

/** The start of a page. It includes the time, so that all pages show the same windows. */
interface PageStart {
  at: Date;
  after?: Pick<LimitedCell, 'scope' | 'subject_id'> & { period: string };
}

/** Lists budget cells for administrators. */
@Injectable()
export class BudgetSummaryService {
  constructor(
    private readonly cells: BudgetSummaryRepository,
    private readonly budgets: BudgetsRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns a page of cells, from one snapshot of the database.
   * @throws HttpError invalid for a cursor of another list
   */
  async list(caller: Caller, { cursor, limit, ...filters }: BudgetCellsQuery): Promise<BudgetCellsPage> {
    const binding = { list: 'budget-cells', filters, caller };
    const pageStart = cursor === undefined ? this.startAt(filters) : toPageStart(this.cursors.open(binding, cursor));
    return inTransaction(
      this.dataSource,
      async (manager) => {
        // One cell more than the limit shows whether there is another page.
        const found = await this.read(manager, filters, pageStart, limit + 1);
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        const groups = page.flatMap(({ scope, subject_id }) => (scope === 'group' ? [subject_id] : []));
        const positions = await this.cells.findGroupPositions(manager, groups);
        return {
          at: pageStart.at.toISOString(),
          limits_as_of: this.clock.now().toISOString(),
          cells: page.map((cell) => toCellDto(cell, pageStart.at, getOrdinal(cell, positions))),
          ...(last && {
            next_cursor: this.cursors.seal(binding, [
              pageStart.at.toISOString(),
              last.scope,
              last.subject_id,
              last.period,
            ]),
          }),
        };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  private startAt({ at }: Pick<BudgetCellsQuery, 'at'>): PageStart {
    return { at: at === undefined ? this.clock.now() : new Date(at) };
  }

  private async read(
    manager: EntityManager,
    { scope, subject = '' }: Pick<BudgetCellsQuery, 'scope' | 'subject'>,
    { at, after }: PageStart,
    limit: number,
  ): Promise<LimitedCell[]> {
    const defaultBudget = await this.budgets.findDefault(manager);
    const scopes = SCOPES.filter((candidate) => scope === undefined || candidate === scope);
    const found: LimitedCell[] = [];
    for (const current of scopes.slice(after === undefined ? 0 : scopes.indexOf(after.scope))) {
      if (found.length === limit) break;
      const step = {
        scope: current,
        prefix: current === 'group' ? subject.toLowerCase() : subject,
        at,
        after: after?.scope === current ? after : undefined,
        limit: limit - found.length,
      };
      found.push(...(await this.cells.list(manager, step, defaultBudget)));
    }
    return found;
  }
}

function toPageStart(position: readonly unknown[]): PageStart {
  const [at, scope, subject_id, period] = position.map(String);
  return {
    at: new Date(at ?? ''),
    after: { scope: scope === 'group' ? 'group' : 'user', subject_id: subject_id ?? '', period: period ?? '' },
  };
}
