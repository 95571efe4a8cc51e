import { collect, type Collected, type ListOptions } from './pages.ts';
import type { StreamedResponse } from './long-answers.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';
import { subjectIdOf } from './subjects.ts';

/** Which charges are wanted; times are RFC 3339. */
export interface ChargeFilter {
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  readonly scope?: 'user' | 'group';
  readonly subject_id?: string;
}

/** Which usage events are wanted. */
export interface EventFilter {
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  readonly auth_subject?: string;
  readonly outcome?: Schemas['UsageEvent']['outcome'];
}

/** Which days are wanted, and whose; days are ISO dates. */
export interface SeriesFilter extends ChargeFilter {
  readonly granularity?: 'day';
  /** Name of the IANA time zone database. */
  readonly time_zone?: string;
}

/**
 * The answer of an operation that could give lines as well, to a client that did not ask for them.
 */
type AsJson<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

const NDJSON = 'application/x-ndjson';

/** Charges, newest first. */
export const listCharges = (
  manager: Manager,
  filter: ChargeFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['Charge']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/charges', { params: { query: { ...filter, ...page } } });
    const { charges, next_cursor: next } = await answerOf(manager, call as AsJson<Schemas['ChargesPage']>, {
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

/** Usage events, newest first. */
export const listEvents = (
  manager: Manager,
  filter: EventFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['UsageEvent']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/events', { params: { query: { ...filter, ...page } } });
    const { events, next_cursor: next } = await answerOf(manager, call as AsJson<Schemas['UsageEventsPage']>, {
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

/** Which refused requests are wanted. */
export interface DenialFilter {
  readonly from?: string;
  readonly to?: string;
  readonly reason?: Schemas['BudgetDenial']['reason'];
  readonly auth_subject?: string;
  readonly model?: string;
}

/** Refused requests, newest first. */
export const listDenials = (
  manager: Manager,
  filter: DenialFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['BudgetDenial']>> =>
  collect(wanted, async (page) => {
    const call = manager.api.GET('/v1/budgets/denials', { params: { query: { ...filter, ...page } } });
    const { denials, next_cursor: next } = await answerOf(manager, call, { fields: { denials: 'list' } });
    return { items: denials, ...(next !== undefined && { next_cursor: next }) };
  });

/** Charges events that had no price when they came. */
export const recharge = (manager: Manager, body: Schemas['RechargeRequest']): Promise<Schemas['RechargeResult']> =>
  answerOf(manager, manager.api.POST('/v1/budgets/events/recharge', { body }));

/** What was spent on each day. */
export const spendByDay = (manager: Manager, filter: SeriesFilter): Promise<Schemas['DailySpendSeries']> =>
  answerOf(manager, manager.api.GET('/v1/budgets/spend', { params: { query: filter } }), {
    fields: { buckets: 'list' },
  });

/** What a person or a group has used in the current window. */
export const breakdownOf = (
  manager: Manager,
  query: { scope: 'user' | 'group'; subject_id: string; period?: 'day' | 'month' | 'year' },
): Promise<Schemas['BudgetBreakdown']> =>
  answerOf(manager, manager.api.GET('/v1/budgets/breakdown', { params: { query } }), {
    fields: { by_model: 'list', by_provider: 'list', by_user: 'list' },
  });

/** What a group has used in the current window, or what of groups' money a person has. */
export const sharesOf = (manager: Manager, id: string): Promise<Schemas['BudgetSlice']> =>
  answerOf(
    manager,
    manager.api.GET('/v1/budgets/users/{id}', { params: { path: { id }, query: { dimension: 'group' } } }),
    { fields: { entries: 'list' } },
  );

/**
 * The payer that flags name: a user or a group by any name, or by an id that the directory need not
 * know any more.
 */
export async function payerOf(
  manager: Manager,
  {
    'payer-user': user,
    'payer-group': group,
  }: { 'payer-user'?: string | undefined; 'payer-group'?: string | undefined },
): Promise<{ scope?: 'user' | 'group'; subject_id?: string }> {
  if (user !== undefined) return { scope: 'user', subject_id: await subjectIdOf(manager, 'user', user) };
  if (group === undefined) return {};
  return { scope: 'group', subject_id: await subjectIdOf(manager, 'group', group) };
}
