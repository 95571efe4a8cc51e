import { collect, type Collected, type ListOptions } from './pages.ts';
import type { StreamedResponse } from './streamed-responses.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { findSubjectId } from './subjects.ts';

/** Filters of charges; times are RFC 3339. */
export interface ChargeFilter {
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  readonly scope?: 'user' | 'group';
  readonly subject_id?: string;
}

/** Filters of usage events. */
export interface EventFilter {
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  readonly auth_subject?: string;
  readonly outcome?: Schemas['UsageEvent']['outcome'];
}

/** Filters of daily figures; days are ISO dates. */
export interface SeriesFilter extends ChargeFilter {
  readonly granularity?: 'day';
  /** Name of the IANA time zone database. */
  readonly time_zone?: string;
}

/** The JSON response of an operation that can also return NDJSON. */
type AsJson<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

const NDJSON = 'application/x-ndjson';

/** Lists charges, newest first. */
export const listCharges = (
  manager: Manager,
  filter: ChargeFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['Charge']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/charges', { params: { query: { ...filter, ...page } } });
    const { charges, next_cursor: next } = await readResponse(manager, call as AsJson<Schemas['ChargesPage']>, {
      fields: { charges: 'list' },
    });
    return { items: charges, ...(next !== undefined && { next_cursor: next }) };
  });

/** All charges as NDJSON. */
export const allCharges = (filter: ChargeFilter): StreamedResponse => ({
  path: '/v1/budgets/charges',
  query: { ...filter },
  type: NDJSON,
});

/** Lists usage events, newest first. */
export const listEvents = (
  manager: Manager,
  filter: EventFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['UsageEvent']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/events', { params: { query: { ...filter, ...page } } });
    const { events, next_cursor: next } = await readResponse(manager, call as AsJson<Schemas['UsageEventsPage']>, {
      fields: { events: 'list' },
    });
    return { items: events, ...(next !== undefined && { next_cursor: next }) };
  });

/** All usage events as NDJSON. */
export const allEvents = (filter: EventFilter): StreamedResponse => ({
  path: '/v1/budgets/events',
  query: { ...filter },
  type: NDJSON,
});

/** Filters of refused requests. */
export interface DenialFilter {
  readonly from?: string;
  readonly to?: string;
  readonly reason?: Schemas['BudgetDenial']['reason'];
  readonly auth_subject?: string;
  readonly model?: string;
}

/** Lists refused requests, newest first. */
export const listDenials = (
  manager: Manager,
  filter: DenialFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['BudgetDenial']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/denials', { params: { query: { ...filter, ...page } } });
    const { denials, next_cursor: next } = await readResponse(manager, call, { fields: { denials: 'list' } });
    return { items: denials, ...(next !== undefined && { next_cursor: next }) };
  });

/** Charges usage events that had no price when they were reported. */
export const recharge = (manager: Manager, body: Schemas['RechargeRequest']): Promise<Schemas['RechargeResult']> =>
  readResponse(manager, manager.api.POST('/v1/budgets/events/recharge', { body }));

/** Reads the spend of each day. */
export const spendByDay = (manager: Manager, filter: SeriesFilter): Promise<Schemas['DailySpendSeries']> =>
  readResponse(manager, manager.api.GET('/v1/budgets/spend', { params: { query: filter } }), {
    fields: { buckets: 'list' },
  });

/** Reads the spend of a user or group in the current window. */
export const getBreakdown = (
  manager: Manager,
  query: { scope: 'user' | 'group'; subject_id: string; period?: 'day' | 'month' | 'year' },
): Promise<Schemas['BudgetBreakdown']> =>
  readResponse(manager, manager.api.GET('/v1/budgets/breakdown', { params: { query } }), {
    fields: { by_model: 'list', by_provider: 'list', by_user: 'list' },
  });

/** Reads the spend of a group in the current window, or a user's shares of group budgets. */
export const getGroupShares = (manager: Manager, id: string): Promise<Schemas['BudgetSlice']> =>
  readResponse(
    manager,
    manager.api.GET('/v1/budgets/users/{id}', { params: { path: { id }, query: { dimension: 'group' } } }),
    { fields: { entries: 'list' } },
  );

/**
 * The payer that the flags name: a user or group by any name, or by an id that the directory no
 * longer contains.
 */
export async function findPayer(
  manager: Manager,
  {
    'payer-user': user,
    'payer-group': group,
  }: { 'payer-user'?: string | undefined; 'payer-group'?: string | undefined },
): Promise<{ scope?: 'user' | 'group'; subject_id?: string }> {
  if (user !== undefined) return { scope: 'user', subject_id: await findSubjectId(manager, 'user', user) };
  if (group === undefined) return {};
  return { scope: 'group', subject_id: await findSubjectId(manager, 'group', group) };
}
