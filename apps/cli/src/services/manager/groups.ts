import { collect, type Collected, type ListOptions } from './pages.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { findUser } from './users.ts';

type Group = Schemas['Group'];

const LIST = 'gatehouse admin groups list';

/** Filters of groups. */
export interface GroupFilter {
  readonly search?: string;
  readonly name?: string;
  readonly display_name?: string;
  readonly source?: string;
}

/** The two kinds of members. */
export interface Members {
  readonly direct_child_groups: Group[];
  readonly transitive_users: Schemas['User'][];
}

/** Lists groups in the order of their creation. */
export const listGroups = (manager: Manager, filter: GroupFilter, wanted: ListOptions): Promise<Collected<Group>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/groups', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/**
 * Finds a group by id, name or display name.
 * @throws CliError when no group or several match
 */
export async function findGroup(manager: Manager, text: string): Promise<Group> {
  if (isId(text)) return groupWithId(manager, text);
  const few = { limit: 5, all: false };
  const named = await listGroups(manager, { name: text }, few);
  const { items } = named.items.length > 0 ? named : await listGroups(manager, { display_name: text }, few);
  const { id } = requireUnique('group', text, items, ({ display_name: name }) => name, LIST);
  return groupWithId(manager, id);
}

const groupWithId = (manager: Manager, id: string): Promise<Group> =>
  readResponse(manager, manager.api.GET('/v1/groups/{id}', { params: { path: { id } } }), {
    fields: { id: 'text' },
    list: LIST,
  });

/** Creates a group. */
export const createGroup = (manager: Manager, body: Schemas['GroupCreate']): Promise<Group> =>
  readResponse(manager, manager.api.POST('/v1/groups', { body }));

/** Changes the given fields of a group. */
export async function updateGroup(manager: Manager, text: string, body: Schemas['GroupPatch']): Promise<Group> {
  const { id } = await findGroup(manager, text);
  return readResponse(manager, manager.api.PATCH('/v1/groups/{id}', { params: { path: { id } }, body }));
}

/** Deletes a group; its members stay. */
export async function deleteGroup(manager: Manager, { id }: Group): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/groups/{id}', { params: { path: { id } } }));
}

/**
 * Lists the direct subgroups of a group, and its direct and indirect users.
 * @returns also whether there are more
 */
export async function listMembers(
  manager: Manager,
  text: string,
  search: string | undefined,
  wanted: ListOptions,
): Promise<{ members: Members; more: boolean }> {
  const { id } = await findGroup(manager, text);
  const path = { id };
  const filter = search === undefined ? {} : { search };
  const ask = (query: object) =>
    readResponse(
      manager,
      manager.api.GET('/v1/groups/{id}/members', { params: { path, query: { ...filter, ...query } } }),
      { fields: { direct_child_groups: 'list', transitive_users: 'list' } },
    );
  const groups = await collect(wanted, async ({ limit, cursor }) => {
    const page = await ask({ limit, ...(cursor !== undefined && { groups_cursor: cursor }) });
    return toPage(page.direct_child_groups, page.next_groups_cursor);
  });
  const users = await collect(wanted, async ({ limit, cursor }) => {
    const page = await ask({ limit, ...(cursor !== undefined && { users_cursor: cursor }) });
    return toPage(page.transitive_users, page.next_users_cursor);
  });
  return {
    members: { direct_child_groups: groups.items, transitive_users: users.items },
    more: groups.more || users.more,
  };
}

const toPage = <T>(items: T[], next: string | undefined) => ({
  items,
  ...(next !== undefined && { next_cursor: next }),
});

/** Adds a user to a group, or removes the user. */
export async function setUserMember(manager: Manager, group: string, user: string, member: boolean): Promise<Group> {
  const path = { group_id: (await findGroup(manager, group)).id, user_id: (await findUser(manager, user)).id };
  const place = '/v1/groups/{group_id}/users/{user_id}';
  return readResponse(
    manager,
    member ? manager.api.PUT(place, { params: { path } }) : manager.api.DELETE(place, { params: { path } }),
  );
}

/** Adds a group to another group, or removes it. */
export async function setSubgroup(manager: Manager, group: string, child: string, member: boolean): Promise<Group> {
  const path = { group_id: (await findGroup(manager, group)).id, child_id: (await findGroup(manager, child)).id };
  const place = '/v1/groups/{group_id}/subgroups/{child_id}';
  return readResponse(
    manager,
    member ? manager.api.PUT(place, { params: { path } }) : manager.api.DELETE(place, { params: { path } }),
  );
}
