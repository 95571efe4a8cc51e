import { statement } from '@gatehouse/database/statement';
import { inTransaction } from '@gatehouse/database/transaction';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';
import type { OwnBudgetCell, OwnBudgetsSummary, PersonalBudgetCard } from './budget-summary.dto.ts';
import { BudgetSummaryRepository } from './budget-summary.repository.ts';
import { type CellKey, getCellKey, getCellId } from './cell.ts';
import { type LimitedCell, getOrdinal, toCellDto, toLimitFields } from './cell-view.ts';
import { CellsRepository, readAmount } from './cells.repository.ts';
import { type Candidate, listLimitedCellKeys } from './payer.ts';
import { PERIODS, type Period } from './period.ts';
import { PrincipalsRepository } from './principals.repository.ts';

/** The user's share of group budgets, from the sums, which are kept longer than the charges. */
const READ_CONTRIBUTIONS = statement<{ subject_id: string; period: Period; charged_usd: string }>(
  `SELECT k.subject_id, k.period, s.charged_usd
   FROM unnest($2::text[], $3::text[], $4::date[]) AS k (subject_id, period, starts)
   JOIN (
     SELECT subject_id, period, period_start, charged_usd FROM group_spend_by_person WHERE auth_subject = $1
     UNION ALL
     SELECT subject_id, 'day', day, sum(charged_usd) FROM spend_daily
     WHERE auth_subject = $1 AND day = ANY ($4::date[]) AND scope = 'group' GROUP BY subject_id, day) AS s
     ON s.subject_id = k.subject_id AND s.period = k.period AND s.period_start = k.starts`,
);

/** Summarizes the budgets that can pay for a caller. */
@Injectable()
export class OwnBudgetsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly entries: DirectoryEntries,
    private readonly principals: PrincipalsRepository,
    private readonly cells: CellsRepository,
    private readonly summary: BudgetSummaryRepository,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the budgets of the caller and of the caller's groups, from one snapshot of the
   * database. A caller without an active directory entry has no groups.
   */
  async summarize(caller: Caller): Promise<OwnBudgetsSummary> {
    // The first request of a caller can bind or create a directory entry.
    await this.entries.findByCaller(caller);
    const subject = getOwnerRef(this.settings.ISSUERS, caller);
    const at = this.clock.now();
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const candidates = await this.findCandidates(manager, caller, at);
        const cells = await this.readCells(manager, candidates, at);
        const contributions = await this.readContributions(manager, subject, candidates, at);
        const groups = candidates.flatMap(({ scope, subject_id }) => (scope === 'group' ? [subject_id] : []));
        const positions = await this.summary.findGroupPositions(manager, groups);
        const budgets = cells.map((cell): OwnBudgetCell => {
          const dto = toCellDto(cell, at, getOrdinal(cell, positions));
          if (cell.scope === 'user') return dto;
          return {
            ...dto,
            my_contribution_usd: writeUsd(contributions.get(getCellId(getCellKey(cell, cell.period, at))) ?? 0n),
          };
        });
        return { subject, budgets, ...toCards(cells, at) };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  private async findCandidates(manager: EntityManager, { issuer, subject }: Caller, at: Date) {
    const [principal] = await this.principals.find(manager, [{ issuer, subject }], at);
    const candidates = principal?.candidates ?? [];
    return principal?.state === 'active' ? candidates : candidates.filter(({ scope }) => scope === 'user');
  }

  private async readCells(manager: EntityManager, candidates: readonly Candidate[], at: Date) {
    const amounts = await this.cells.read(
      manager,
      candidates.flatMap((candidate) => listLimitedCellKeys(candidate, at)),
    );
    return candidates.flatMap(({ scope, subject_id, limits }) =>
      [...limits]
        .sort((a, b) => PERIODS.indexOf(a.period) - PERIODS.indexOf(b.period))
        .map(({ period, limit, by_default }): LimitedCell => ({
          scope,
          subject_id,
          period,
          limit,
          ...(amounts.get(getCellId(getCellKey({ scope, subject_id }, period, at))) ?? { used: 0n, reserved: 0n }),
          on_default: by_default === true,
        })),
    );
  }

  /** Reads the caller's usage in the cells of groups, by `getCellId`. */
  private async readContributions(
    manager: EntityManager,
    subject: string,
    candidates: readonly Candidate[],
    at: Date,
  ): Promise<ReadonlyMap<string, Usd>> {
    const keys: CellKey[] = candidates
      .filter(({ scope }) => scope === 'group')
      .flatMap((candidate) => listLimitedCellKeys(candidate, at));
    if (keys.length === 0) return new Map();
    const rows = await READ_CONTRIBUTIONS.rows(manager, [
      subject,
      keys.map(({ subject_id }) => subject_id),
      keys.map(({ period }) => period),
      keys.map(({ period_start }) => period_start),
    ]);
    return new Map(
      rows.map(({ subject_id, period, charged_usd }) => [
        getCellId(getCellKey({ scope: 'group', subject_id }, period, at)),
        readAmount(charged_usd),
      ]),
    );
  }
}

/** Returns the caller's own daily and monthly budgets. */
function toCards(cells: readonly LimitedCell[], at: Date): { day?: PersonalBudgetCard; month?: PersonalBudgetCard } {
  const toCard = (period: Period): PersonalBudgetCard | undefined => {
    const own = cells.filter((cell) => cell.scope === 'user' && cell.period === period);
    return own[0] && { ...toLimitFields(own[0], at), budgets: own.length };
  };
  const [day, month] = [toCard('day'), toCard('month')];
  return { ...(day && { day }), ...(month && { month }) };
}
