import { collect, type Collected, type Wanted } from './pages.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';
import { isId, only } from './named.ts';

type User = Schemas['User'];

const LIST = 'gatehouse admin users list';

/** Which people are wanted. */
export interface UserFilter {
  readonly search?: string;
  readonly user_name?: string;
  readonly email?: string;
  readonly source?: string;
  readonly active?: boolean;
}

/** People of the directory, in the order in which they came. */
export const listUsers = (manager: Manager, filter: UserFilter, wanted: Wanted): Promise<Collected<User>> =>
  collect(wanted, (page) =>
    answerOf(manager, manager.api.GET('/v1/users', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/** A person by id, user name or e-mail. @throws WorkloadFailure when there is none, or more than one */
export async function userOf(manager: Manager, text: string): Promise<User> {
  if (isId(text))
    return answerOf(manager, manager.api.GET('/v1/users/{id}', { params: { path: { id: text } } }), {
      fields: { id: 'text' },
      list: LIST,
    });
  const few = { limit: 5, all: false };
  const named = await listUsers(manager, { user_name: text }, few);
  const { items } =
    named.items.length > 0 || !text.includes('@') ? named : await listUsers(manager, { email: text }, few);
  return only('user', text, items, ({ user_name: name, email }) => `${name} ${email ?? ''}`, LIST);
}

/** The groups that hold a person, directly or through subgroups. */
export async function groupsOfUser(
  manager: Manager,
  text: string,
  wanted: Wanted,
): Promise<Collected<Schemas['Group']>> {
  const { id } = await userOf(manager, text);
  return collect(wanted, (query) =>
    answerOf(manager, manager.api.GET('/v1/users/{id}/groups', { params: { path: { id }, query } }), {
      fields: { items: 'list' },
    }),
  );
}

/** The keys of a person, newest first. */
export async function keysOfUser(manager: Manager, text: string): Promise<Schemas['VirtualKey'][]> {
  const { id } = await userOf(manager, text);
  const call = manager.api.GET('/v1/users/{id}/keys', { params: { path: { id } } });
  const { keys } = await answerOf(manager, call, { fields: { keys: 'list' } });
  return keys;
}

/** Disables a person's key, which then only an administrator enables again; or enables it. */
export async function setKeyOfUser(manager: Manager, text: string, key: string, enabled: boolean): Promise<void> {
  const { id } = await userOf(manager, text);
  const params = { path: { id, key_id: key } };
  await answerOf(
    manager,
    enabled
      ? manager.api.POST('/v1/users/{id}/keys/{key_id}/enable', { params })
      : manager.api.POST('/v1/users/{id}/keys/{key_id}/disable', { params }),
    { list: `gatehouse admin users keys ${id}` },
  );
}
