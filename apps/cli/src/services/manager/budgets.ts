import type { GivenObject } from '../../json/input.ts';
import { findGroup } from './groups.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findSubject } from './users.ts';
import { UsageError } from '../../errors/cli-error.ts';

/**
 * The subject of a budget as the user typed it: a user by `subject_id`, id, user name or e-mail, or
 * a group by id or name.
 */
export interface SubjectFlags {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

/** A user or group with a budget. */
export interface BudgetSubject {
  readonly scope: 'user' | 'group';
  readonly id: string;
  /** The name for messages. */
  readonly name: string;
}

/** All budgets, and their ETag (RFC 9110, section 8.8.3). */
export interface TaggedBudgets {
  readonly collection: Schemas['BudgetCollection'];
  readonly etag: string;
}

/** Filters of budget cells. */
export interface CellFilter {
  readonly scope?: 'user' | 'group';
  /** Prefix of the subject's id. */
  readonly subject?: string;
  /** RFC 3339. */
  readonly at?: string;
}

const LIST = 'gatehouse admin budgets list';

const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { headers: { 'if-match': etag } });

/** Reads the budgets of all users and groups. */
export async function getBudgets(manager: Manager): Promise<TaggedBudgets> {
  const call = manager.api.GET('/v1/budgets');
  const collection = await readResponse(manager, call, { fields: { budgets: 'list' } });
  return { collection, etag: (await call).response.headers.get('etag') ?? '' };
}

/**
 * Replaces all budgets.
 * @param etag the state to replace; undefined for any state
 */
export async function replaceBudgets(
  manager: Manager,
  { object, asWritten }: GivenObject,
  etag: string | undefined,
): Promise<void> {
  await readResponse(
    manager,
    manager.api.PUT('/v1/budgets', {
      // The manager validates the collection and names the invalid item.
      body: object as Schemas['BudgetCollection'],
      bodySerializer: () => asWritten,
      ...ifMatch(etag),
    }),
  );
}

/**
 * The subject that the flags name.
 * @param unknown whether a user that is not in the directory is accepted or refused
 * @throws UsageError unless exactly one subject is given; CommandFailedError for an unknown user or
 * group
 */
export async function findBudgetSubject(
  manager: Manager,
  { user, group }: SubjectFlags,
  unknown: 'taken' | 'refused',
): Promise<BudgetSubject> {
  if ((user === undefined) === (group === undefined)) {
    throw new UsageError('Give the owner of the budget', ['--user NAME', '--group NAME']);
  }
  if (user !== undefined) {
    const { subject_id: id, name } = await findSubject(manager, user, unknown);
    return { scope: 'user', id, name };
  }
  const { id, display_name: name } = await findGroup(manager, group ?? '');
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
  await readResponse(
    manager,
    scope === 'user'
      ? manager.api.PUT('/v1/budgets/users/{id}', { params, body, ...ifMatch(etag) })
      : manager.api.PUT('/v1/budgets/groups/{id}', { params, body, ...ifMatch(etag) }),
  );
}

/** Deletes the limits of all periods. */
export async function deleteBudget(
  manager: Manager,
  { scope, id }: BudgetSubject,
  etag: string | undefined,
): Promise<void> {
  const params = { path: { id } };
  await readResponse(
    manager,
    scope === 'user'
      ? manager.api.DELETE('/v1/budgets/users/{id}', { params, ...ifMatch(etag) })
      : manager.api.DELETE('/v1/budgets/groups/{id}', { params, ...ifMatch(etag) }),
    { list: LIST },
  );
}

/** Reads the default budget, which applies to users without a budget of their own. */
export async function defaultBudget(
  manager: Manager,
): Promise<{ readonly budget: Schemas['DefaultUserBudget']; readonly etag: string }> {
  const call = manager.api.GET('/v1/budgets/default');
  const budget = await readResponse(manager, call, {
    fields: { limit_usd: 'text', period: 'text' },
    list: 'gatehouse admin budgets default set --limit 20 --period month',
  });
  return { budget, etag: (await call).response.headers.get('etag') ?? '' };
}

/** Sets the default budget. @param etag the state to replace; undefined for any state */
export async function setDefaultBudget(
  manager: Manager,
  body: Schemas['DefaultUserBudget'],
  etag: string | undefined,
): Promise<void> {
  await readResponse(manager, manager.api.PUT('/v1/budgets/default', { body, ...ifMatch(etag) }));
}

/** Deletes the default budget. @param etag the state to delete; undefined for any state */
export async function deleteDefaultBudget(manager: Manager, etag: string | undefined): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/budgets/default', ifMatch(etag)));
}

/** Lists budget cells, groups first. */
export const listCells = (
  manager: Manager,
  filter: CellFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['BudgetCell']>> =>
  collect(wanted, async (page) => {
    const { cells, next_cursor: next } = await readResponse(
      manager,
      manager.api.GET('/v1/budgets/summary', { params: { query: { ...filter, ...page } } }),
      { fields: { cells: 'list' } },
    );
    return { items: cells, ...(next !== undefined && { next_cursor: next }) };
  });
