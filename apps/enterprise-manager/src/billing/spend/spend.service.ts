import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import { Inject, Injectable } from '@nestjs/common';
import type { Payer } from '../budgets/cell.ts';
import { readAmount } from '../budgets/cells.repository.ts';
import { type BudgetWindow, type Period, getWindowAt } from '../budgets/period.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { parseOwnerRef, getOwnerRef } from '@gatehouse/auth/owner-ref';
import type { SpendFilter } from './rollups.ts';
import { splitIntoBuckets, planSpendReads } from './spend-buckets.ts';
import { type ReportTimes, formatReportTime, getReportWindow } from './spend-window.ts';
import type {
  BreakdownEntry,
  BreakdownQuery,
  BudgetBreakdown,
  BudgetSlice,
  DailySpendSeries,
  GroupSliceQuery,
  OwnSeriesQuery,
  SeriesQuery,
  UserSliceQuery,
} from './spend.dto.ts';
import { type GroupShare, SpendRepository } from './spend.repository.ts';

/** Reads of spend. */
@Injectable()
export class SpendService {
  constructor(
    private readonly spend: SpendRepository,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Returns the current window of a payer by every dimension.
   * @throws HttpError not_found for a subject without a budget and without charges
   */
  async getBreakdown({ scope, subject_id, period }: BreakdownQuery): Promise<BudgetBreakdown> {
    const payer = {
      scope,
      subject_id: scope === 'user' ? this.toChargedSubject(subject_id) : subject_id.toLowerCase(),
    };
    const { window, lists } = await this.readPayerWindow(payer, period);
    return {
      ...payer,
      ...formatWindow(window),
      total_used_usd: sumAmounts(lists.model),
      by_model: lists.model,
      by_provider: lists.provider,
      by_user: lists.user,
    };
  }

  /**
   * Returns the current window of a group by user or model.
   * @throws HttpError not_found as for a breakdown
   */
  getGroupSlice(id: string, { dimension, period }: GroupSliceQuery): Promise<BudgetSlice> {
    return this.getSlice({ scope: 'group', subject_id: id }, dimension, period);
  }

  /**
   * Returns the spend of a user. By model: the amounts of the user's own budget in the current
   * window. By group: the amounts that each group has paid for the user in the group's current
   * window.
   * @throws HttpError not_found for a user without a budget and without charges
   */
  getUserSlice(id: string, { dimension, period }: UserSliceQuery): Promise<BudgetSlice> {
    const payer = { scope: 'user', subject_id: this.toChargedSubject(id) } as const;
    return dimension === 'model' ? this.getSlice(payer, dimension, period) : this.getShares(payer.subject_id, period);
  }

  /** Returns every day of a window. @throws HttpError invalid unless `from` is before `to` */
  getSeries({ from, to, time_zone, scope, subject_id, model }: SeriesQuery): Promise<DailySpendSeries> {
    return this.readDailySeries({ scope, subject_id, model }, { from, to, time_zone });
  }

  /** Returns every day of the caller's own requests. @throws HttpError invalid */
  getOwnSeries(caller: Caller, { from, to, time_zone, model }: OwnSeriesQuery): Promise<DailySpendSeries> {
    return this.readDailySeries(
      { auth_subject: getOwnerRef(this.settings.ISSUERS, caller), model },
      { from, to, time_zone },
    );
  }

  /**
   * Returns the `subject_id` of charges: a request can write the id of the first issuer in front of
   * the subject.
   */
  private toChargedSubject(subjectId: string): string {
    const person = parseOwnerRef(this.settings.ISSUERS, subjectId);
    return person === undefined ? subjectId : getOwnerRef(this.settings.ISSUERS, person);
  }

  private async getSlice(payer: Payer, dimension: 'user' | 'model', period: Period | undefined): Promise<BudgetSlice> {
    const { window, lists } = await this.readPayerWindow(payer, period);
    const entries = lists[dimension];
    return { ...payer, dimension, ...formatWindow(window), total_used_usd: sumAmounts(entries), entries };
  }

  private async readPayerWindow(payer: Payer, period: Period | undefined) {
    const person = payer.scope === 'user' ? parseOwnerRef(this.settings.ISSUERS, payer.subject_id) : undefined;
    const { periods, defaultPeriod, isInDirectory, hasCharges } = await this.spend.readPayerBudgets(payer, person);
    const usedDefaults = defaultPeriod !== undefined && (isInDirectory || hasCharges) ? [defaultPeriod] : [];
    const budgeted = [...new Set([...periods, ...usedDefaults])];
    if (budgeted.length === 0 && !hasCharges) throw createNoSpendError(payer);
    const window = getWindowAt(period ?? getDefaultPeriod(budgeted), this.clock.now());
    return { window, lists: await this.spend.readLists(payer, window) };
  }

  private async getShares(id: string, period: Period | undefined): Promise<BudgetSlice> {
    const now = this.clock.now();
    const windows = { day: getWindowAt('day', now), month: getWindowAt('month', now), year: getWindowAt('year', now) };
    const person = parseOwnerRef(this.settings.ISSUERS, id);
    const shares = await this.spend.readShares(id, person, windows);
    if (shares.length === 0) await this.readPayerWindow({ scope: 'user', subject_id: id }, period);
    const entries = shares
      .map((share) => toShareEntry(share, windows[period ?? getDefaultPeriod(share.periods)]))
      .sort((a, b) => compareAmounts(a, b));
    return {
      scope: 'user',
      subject_id: id,
      dimension: 'group',
      ...(period !== undefined && formatWindow(windows[period])),
      total_used_usd: sumAmounts(entries),
      entries,
    };
  }

  private async readDailySeries(filter: SpendFilter, times: ReportTimes): Promise<DailySpendSeries> {
    const window = getReportWindow(times, this.clock.now(), this.settings.USAGE_RETENTION_DAYS);
    const zone = times.time_zone;
    const days = splitIntoBuckets(window, 'day', zone);
    const spent = await this.spend.readSeries(filter, planSpendReads(days));
    return {
      granularity: 'day',
      time_zone: zone,
      from: formatReportTime(window.from, zone),
      to: formatReportTime(window.to, zone),
      buckets: days.map(({ date }) => ({ date, usd: spent.get(date) ?? writeUsd(0n) })),
    };
  }
}

/** Returns the period of the only budget, otherwise the month. */
export const getDefaultPeriod = (budgeted: readonly Period[]): Period =>
  budgeted.length === 1 ? (budgeted[0] ?? 'month') : 'month';

const formatWindow = ({ period, start, end }: BudgetWindow) => ({
  period,
  period_start: start.toISOString(),
  period_end: end.toISOString(),
});

const toShareEntry = (share: GroupShare, window: BudgetWindow): BreakdownEntry => ({
  value: share.group_id,
  used_usd: { day: share.day_usd, month: share.month_usd, year: share.year_usd }[window.period],
  ...formatWindow(window),
});

const sumAmounts = (entries: readonly BreakdownEntry[]): string =>
  writeUsd(entries.reduce<Usd>((sum, { used_usd }) => sum + readAmount(used_usd), 0n));

const compareAmounts = (a: BreakdownEntry, b: BreakdownEntry): number => {
  const [first, second] = [readAmount(a.used_usd), readAmount(b.used_usd)];
  if (first !== second) return first > second ? -1 : 1;
  return a.value < b.value ? -1 : 1;
};

const createNoSpendError = ({ scope, subject_id }: Payer): HttpError =>
  new HttpError('not_found', `there is no budget of the ${scope} ${subject_id}, and nothing was charged to it`);
