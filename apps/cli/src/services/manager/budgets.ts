import type { GivenObject } from '../../json/input.ts';
import { groupOf } from './groups.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { personOf } from './users.ts';
import { UsageError } from '../../errors/cli-error.ts';

/**
 * Whose budget is meant, as it was typed: a person by `subject_id`, id, user name or e-mail, or a
 * group by id or name.
 */
export interface SubjectFlags {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

/** A person or a group that budgets are of. */
export interface BudgetSubject {
  readonly scope: 'user' | 'group';
  readonly id: string;
  /** For sentences. */
  readonly name: string;
}

/** All budgets, and the ETag of that state (RFC 9110, section 8.8.3). */
export interface TaggedBudgets {
  readonly collection: Schemas['BudgetCollection'];
  readonly etag: string;
}

/** Which cells are wanted. */
export interface CellFilter {
  readonly scope?: 'user' | 'group';
  /** Beginning of the subject's id. */
  readonly subject?: string;
  /** RFC 3339. */
  readonly at?: string;
}

const LIST = 'gatehouse admin budgets list';

const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { headers: { 'if-match': etag } });

/** All budgets of people and groups. */
export async function budgetsOf(manager: Manager): Promise<TaggedBudgets> {
  const call = manager.api.GET('/v1/budgets');
  const collection = await answerOf(manager, call, { fields: { budgets: 'list' } });
  return { collection, etag: (await call).response.headers.get('etag') ?? '' };
}

/**
 * Makes these all budgets that there are.
 * @param etag writes only over this state; undefined for whatever state there is
 */
export async function replaceBudgets(
  manager: Manager,
  { object, asWritten }: GivenObject,
  etag: string | undefined,
): Promise<void> {
  await answerOf(
    manager,
    manager.api.PUT('/v1/budgets', {
      // The manager judges the collection and names the item that it does not take.
      body: object as Schemas['BudgetCollection'],
      bodySerializer: () => asWritten,
      ...ifMatch(etag),
    }),
  );
}

/**
 * The subject that flags name.
 * @param unknown what is done with a person whom the directory does not know
 * @throws UsageError for none or two, (failed) for a person or a group that there is
 * not
 */
export async function subjectOf(
  manager: Manager,
  { user, group }: SubjectFlags,
  unknown: 'taken' | 'refused',
): Promise<BudgetSubject> {
  if ((user === undefined) === (group === undefined)) {
    throw new UsageError('Say whose budget it is', ['--user NAME', '--group NAME']);
  }
  if (user !== undefined) {
    const { subject_id: id, name } = await personOf(manager, user, unknown);
    return { scope: 'user', id, name };
  }
  const { id, display_name: name } = await groupOf(manager, group ?? '');
  return { scope: 'group', id, name };
}

/** Sets the limit of one period. */
export async function setBudget(
  manager: Manager,
  { scope, id }: BudgetSubject,
  body: Schemas['GroupBudgetWrite'],
  etag: string | undefined,
): Promise<void> {
  const params = { path: { id } };
  await answerOf(
    manager,
    scope === 'user'
      ? manager.api.PUT('/v1/budgets/users/{id}', { params, body, ...ifMatch(etag) })
      : manager.api.PUT('/v1/budgets/groups/{id}', { params, body, ...ifMatch(etag) }),
  );
}

/** Takes away the limits of all periods. */
export async function deleteBudget(
  manager: Manager,
  { scope, id }: BudgetSubject,
  etag: string | undefined,
): Promise<void> {
  const params = { path: { id } };
  await answerOf(
    manager,
    scope === 'user'
      ? manager.api.DELETE('/v1/budgets/users/{id}', { params, ...ifMatch(etag) })
      : manager.api.DELETE('/v1/budgets/groups/{id}', { params, ...ifMatch(etag) }),
    { list: LIST },
  );
}

/** What people without a budget of their own may spend. */
export async function defaultBudget(
  manager: Manager,
): Promise<{ readonly budget: Schemas['DefaultUserBudget']; readonly etag: string }> {
  const call = manager.api.GET('/v1/budgets/default');
  const budget = await answerOf(manager, call, {
    fields: { limit_usd: 'text', period: 'text' },
    list: 'gatehouse admin budgets default set --limit 20 --period month',
  });
  return { budget, etag: (await call).response.headers.get('etag') ?? '' };
}

/** Sets it. @param etag writes only over this state; undefined for any state */
export async function setDefaultBudget(
  manager: Manager,
  body: Schemas['DefaultUserBudget'],
  etag: string | undefined,
): Promise<void> {
  await answerOf(manager, manager.api.PUT('/v1/budgets/default', { body, ...ifMatch(etag) }));
}

/** Deletes it. @param etag deletes only this state; undefined for any state */
export async function deleteDefaultBudget(manager: Manager, etag: string | undefined): Promise<void> {
  await answerOf(manager, manager.api.DELETE('/v1/budgets/default', ifMatch(etag)));
}

/** What is used of budgets, groups first. */
export const listCells = (
  manager: Manager,
  filter: CellFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['BudgetCell']>> =>
  collect(wanted, async (page) => {
    const { cells, next_cursor: next } = await answerOf(
      manager,
      manager.api.GET('/v1/budgets/summary', { params: { query: { ...filter, ...page } } }),
      { fields: { cells: 'list' } },
    );
    return { items: cells, ...(next !== undefined && { next_cursor: next }) };
  });
