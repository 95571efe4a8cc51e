import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import { Inject, Injectable } from '@nestjs/common';
import type { Payer } from '../budgets/cell.ts';
import { readAmount } from '../budgets/cells.repository.ts';
import { type BudgetWindow, type Period, getWindowAt } from '../budgets/period.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { personNamed, personRef } from '../../validation/person-ref.ts';
import type { SpendFilter } from './rollups.ts';
import { bucketsOf, cutOf } from './spend-buckets.ts';
import { type ReportTimes, shownTime, windowOf } from './spend-window.ts';
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
  async breakdown({ scope, subject_id, period }: BreakdownQuery): Promise<BudgetBreakdown> {
    const payer = { scope, subject_id: scope === 'user' ? this.chargedName(subject_id) : subject_id.toLowerCase() };
    const { window, lists } = await this.windowOf(payer, period);
    return {
      ...payer,
      ...shown(window),
      total_used_usd: totalOf(lists.model),
      by_model: lists.model,
      by_provider: lists.provider,
      by_user: lists.user,
    };
  }

  /**
   * Returns the current window of a group by user or model.
   * @throws HttpError not_found as for a breakdown
   */
  groupSlice(id: string, { dimension, period }: GroupSliceQuery): Promise<BudgetSlice> {
    return this.slice({ scope: 'group', subject_id: id }, dimension, period);
  }

  /**
   * Returns the spend of a user. By model: the amounts of the user's own budget in the current
   * window. By group: the amounts that each group has paid for the user in the group's current
   * window.
   * @throws HttpError not_found for a user without a budget and without charges
   */
  userSlice(id: string, { dimension, period }: UserSliceQuery): Promise<BudgetSlice> {
    const payer = { scope: 'user', subject_id: this.chargedName(id) } as const;
    return dimension === 'model' ? this.slice(payer, dimension, period) : this.shares(payer.subject_id, period);
  }

  /** Returns every day of a window. @throws HttpError invalid unless `from` is before `to` */
  series({ from, to, time_zone, scope, subject_id, model }: SeriesQuery): Promise<DailySpendSeries> {
    return this.daily({ scope, subject_id, model }, { from, to, time_zone });
  }

  /** Returns every day of the caller's own requests. @throws HttpError invalid */
  ownSeries(caller: Caller, { from, to, time_zone, model }: OwnSeriesQuery): Promise<DailySpendSeries> {
    return this.daily({ auth_subject: personRef(this.settings.ISSUERS, caller), model }, { from, to, time_zone });
  }

  /**
   * Returns the `subject_id` of charges: a request can write the id of the first issuer in front of
   * the subject.
   */
  private chargedName(subjectId: string): string {
    const person = personNamed(this.settings.ISSUERS, subjectId);
    return person === undefined ? subjectId : personRef(this.settings.ISSUERS, person);
  }

  private async slice(payer: Payer, dimension: 'user' | 'model', asked: Period | undefined): Promise<BudgetSlice> {
    const { window, lists } = await this.windowOf(payer, asked);
    const entries = lists[dimension];
    return { ...payer, dimension, ...shown(window), total_used_usd: totalOf(entries), entries };
  }

  private async windowOf(payer: Payer, asked: Period | undefined) {
    const person = payer.scope === 'user' ? personNamed(this.settings.ISSUERS, payer.subject_id) : undefined;
    const { periods, byDefault, listed, charged } = await this.spend.known(payer, person);
    const defaulted = byDefault !== undefined && (listed || charged) ? [byDefault] : [];
    const budgeted = [...new Set([...periods, ...defaulted])];
    if (budgeted.length === 0 && !charged) throw noSpend(payer);
    const window = getWindowAt(asked ?? shownPeriod(budgeted), this.clock.now());
    return { window, lists: await this.spend.lists(payer, window) };
  }

  private async shares(id: string, asked: Period | undefined): Promise<BudgetSlice> {
    const now = this.clock.now();
    const windows = { day: getWindowAt('day', now), month: getWindowAt('month', now), year: getWindowAt('year', now) };
    const person = personNamed(this.settings.ISSUERS, id);
    const shares = await this.spend.shares(id, person, windows);
    if (shares.length === 0) await this.windowOf({ scope: 'user', subject_id: id }, asked);
    const entries = shares
      .map((share) => shareEntry(share, windows[asked ?? shownPeriod(share.periods)]))
      .sort((a, b) => byAmount(a, b));
    return {
      scope: 'user',
      subject_id: id,
      dimension: 'group',
      ...(asked !== undefined && shown(windows[asked])),
      total_used_usd: totalOf(entries),
      entries,
    };
  }

  private async daily(filter: SpendFilter, asked: ReportTimes): Promise<DailySpendSeries> {
    const window = windowOf(asked, this.clock.now(), this.settings.USAGE_RETENTION_DAYS);
    const zone = asked.time_zone;
    const days = bucketsOf(window, 'day', zone);
    const spent = await this.spend.series(filter, cutOf(days));
    return {
      granularity: 'day',
      time_zone: zone,
      from: shownTime(window.from, zone),
      to: shownTime(window.to, zone),
      buckets: days.map(({ date }) => ({ date, usd: spent.get(date) ?? writeUsd(0n) })),
    };
  }
}

/** The period of the only budget, otherwise the month. */
export const shownPeriod = (budgeted: readonly Period[]): Period =>
  budgeted.length === 1 ? (budgeted[0] ?? 'month') : 'month';

const shown = ({ period, start, end }: BudgetWindow) => ({
  period,
  period_start: start.toISOString(),
  period_end: end.toISOString(),
});

const shareEntry = (share: GroupShare, window: BudgetWindow): BreakdownEntry => ({
  value: share.group_id,
  used_usd: { day: share.day_usd, month: share.month_usd, year: share.year_usd }[window.period],
  ...shown(window),
});

const totalOf = (entries: readonly BreakdownEntry[]): string =>
  writeUsd(entries.reduce<Usd>((sum, { used_usd }) => sum + readAmount(used_usd), 0n));

const byAmount = (a: BreakdownEntry, b: BreakdownEntry): number => {
  const [first, second] = [readAmount(a.used_usd), readAmount(b.used_usd)];
  if (first !== second) return first > second ? -1 : 1;
  return a.value < b.value ? -1 : 1;
};

const noSpend = ({ scope, subject_id }: Payer): HttpError =>
  new HttpError('not_found', `there is no budget of the ${scope} ${subject_id}, and nothing was charged to it`);
