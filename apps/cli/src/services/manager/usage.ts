import { readResponse, type Manager, type Schemas } from './manager.ts';
import { getProfile } from './profile.ts';

/** Filters by date; the second date is exclusive. */
export interface SpendFilter {
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  /** Name of the IANA time zone database. */
  readonly time_zone?: string;
}

/** The budgets and the spend of a user. */
export interface OwnUsage {
  readonly summary: Schemas['OwnBudgetsSummary'];
  readonly spend: Schemas['DailySpendSeries'];
  /** Names of the user's groups, by id. */
  readonly groups: Readonly<Record<string, string>>;
}

/** Reads the caller's budgets, and the cost of the caller's requests on each day. */
export async function ownUsage(manager: Manager, filter: SpendFilter): Promise<OwnUsage> {
  const [summary, spend, { groups }] = await Promise.all([
    readResponse(manager, manager.api.GET('/v1/me/budgets/summary'), { fields: { subject: 'text', budgets: 'list' } }),
    readResponse(manager, manager.api.GET('/v1/me/budgets/spend', { params: { query: filter } }), {
      fields: { from: 'text', to: 'text', buckets: 'list' },
    }),
    getProfile(manager),
  ]);
  return { summary, spend, groups: Object.fromEntries(groups.map(({ id, display_name: name }) => [id, name])) };
}
