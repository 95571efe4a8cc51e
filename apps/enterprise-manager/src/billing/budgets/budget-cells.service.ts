import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BudgetCellsPage, BudgetCellsQuery } from './budget-cells.dto.ts';
import { BudgetCellsRepository } from './budget-cells.repository.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import type { BudgetScope } from './cell.ts';
import { type LimitedCell, ordinalOf, shownCell } from './cell-view.ts';

/** The order of the list; within a scope it goes on by subject and period. */
const SCOPES = ['group', 'user'] as const satisfies BudgetScope[];

/** Where a page begins. The moment goes along, so that all pages show the same windows. */
interface Place {
  at: Date;
  after?: Pick<LimitedCell, 'scope' | 'subject_id'> & { period: string };
}

/** What is used of budgets, as administrators see it. */
@Injectable()
export class BudgetCellsService {
  constructor(
    private readonly cells: BudgetCellsRepository,
    private readonly budgets: BudgetsRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * A page of cells, of one moment of the database.
   * @throws HttpError invalid for a foreign cursor
   */
  async list(caller: Caller, { cursor, limit, ...filters }: BudgetCellsQuery): Promise<BudgetCellsPage> {
    const binding = { list: 'budget-cells', filters, caller };
    const place = cursor === undefined ? this.start(filters) : placeOf(this.cursors.open(binding, cursor));
    return inTransaction(
      this.dataSource,
      async (manager) => {
        // One more than asked for tells whether there is another page.
        const found = await this.read(manager, filters, place, limit + 1);
        const shown = found.slice(0, limit);
        const last = found.length > limit ? shown.at(-1) : undefined;
        const groups = shown.flatMap(({ scope, subject_id }) => (scope === 'group' ? [subject_id] : []));
        const places = await this.cells.places(manager, groups);
        return {
          at: place.at.toISOString(),
          limits_as_of: this.clock.now().toISOString(),
          cells: shown.map((cell) => shownCell(cell, place.at, ordinalOf(cell, places))),
          ...(last && {
            next_cursor: this.cursors.seal(binding, [place.at.toISOString(), last.scope, last.subject_id, last.period]),
          }),
        };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  private start({ at }: Pick<BudgetCellsQuery, 'at'>): Place {
    return { at: at === undefined ? this.clock.now() : new Date(at) };
  }

  private async read(
    manager: EntityManager,
    { scope, subject = '' }: Pick<BudgetCellsQuery, 'scope' | 'subject'>,
    { at, after }: Place,
    limit: number,
  ): Promise<LimitedCell[]> {
    const byDefault = await this.budgets.findDefault(manager);
    const wanted = SCOPES.filter((one) => scope === undefined || one === scope);
    const found: LimitedCell[] = [];
    for (const one of wanted.slice(after === undefined ? 0 : wanted.indexOf(after.scope))) {
      if (found.length === limit) break;
      const step = {
        scope: one,
        prefix: one === 'group' ? subject.toLowerCase() : subject,
        at,
        after: after?.scope === one ? after : undefined,
        limit: limit - found.length,
      };
      found.push(...(await this.cells.list(manager, step, byDefault)));
    }
    return found;
  }
}

function placeOf(position: readonly unknown[]): Place {
  const [at, scope, subject_id, period] = position.map(String);
  return {
    at: new Date(at ?? ''),
    after: { scope: scope === 'group' ? 'group' : 'user', subject_id: subject_id ?? '', period: period ?? '' },
  };
}
