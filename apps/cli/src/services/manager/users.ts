import { collect, type Collected, type ListOptions } from './pages.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

type User = Schemas['User'];

const LIST = 'gatehouse admin users list';

/** Filters of users. */
export interface UserFilter {
  readonly search?: string;
  readonly user_name?: string;
  readonly email?: string;
  readonly subject_id?: string;
  readonly source?: string;
  readonly active?: boolean;
}

/** Lists users in the order of their creation. */
export const listUsers = (manager: Manager, filter: UserFilter, wanted: ListOptions): Promise<Collected<User>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/users', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/**
 * Finds a user by id, user name or e-mail.
 * @throws CliError when no user or several match
 */
export async function findUser(manager: Manager, text: string): Promise<User> {
  return requireUnique('user', text, await usersNamed(manager, text), formatUser, LIST);
}

/** A user as budgets and charges name it. */
interface NamedPerson {
  readonly subject_id: string;
  /** The name for messages. */
  readonly name: string;
}

/**
 * Finds a user of budgets by `subject_id`, id, user name or e-mail.
 * @param unknown whether a text that is not in the directory is accepted as the `subject_id` of a
 * former or future user (`taken`), or refused
 * @throws CliError when no user or several match, or when the user has not signed in yet
 */
export async function findSubject(manager: Manager, text: string, unknown: 'taken' | 'refused'): Promise<NamedPerson> {
  const few = { limit: 5, all: false };
  const bySubject = (await listUsers(manager, { subject_id: text }, few)).items;
  const others = (await usersNamed(manager, text)).filter(({ id }) => bySubject.every((one) => one.id !== id));
  const found = [...bySubject, ...others];
  if (found.length === 0) {
    if (unknown === 'taken') return { subject_id: text, name: text };
    throw new CommandFailedError(`The directory has no user ${JSON.stringify(text)}`, [
      LIST,
      `--allow-unknown uses it as the subject_id of a user who has not signed in yet`,
    ]);
  }
  const { subject_id, user_name } = requireUnique('user', text, found, formatUser, LIST);
  if (subject_id !== undefined) return { subject_id, name: user_name };
  throw new CommandFailedError(`${user_name} has not signed in yet, so the subject for budgets is unknown`, [
    unknown === 'taken'
      ? 'the subject of the tokens of this user'
      : '--allow-unknown with the subject of the tokens of this user',
  ]);
}

async function usersNamed(manager: Manager, text: string): Promise<readonly User[]> {
  if (isId(text)) {
    const call = manager.api.GET('/v1/users/{id}', { params: { path: { id: text } } });
    return (await call).response.status === 404 ? [] : [await readResponse(manager, call, { fields: { id: 'text' } })];
  }
  const few = { limit: 5, all: false };
  const { items } = await listUsers(manager, { user_name: text }, few);
  return items.length > 0 || !text.includes('@') ? items : (await listUsers(manager, { email: text }, few)).items;
}

const formatUser = ({ user_name: name, email }: User) => `${name} ${email ?? ''}`;

/** Lists the groups of a user, direct and indirect ones. */
export async function groupsOfUser(
  manager: Manager,
  text: string,
  wanted: ListOptions,
): Promise<Collected<Schemas['Group']>> {
  const { id } = await findUser(manager, text);
  return collect(wanted, (query) =>
    readResponse(manager, manager.api.GET('/v1/users/{id}/groups', { params: { path: { id }, query } }), {
      fields: { items: 'list' },
    }),
  );
}

/** Lists the keys of a user by id, user name or e-mail, newest first. */
export async function listKeysOfUserNamed(manager: Manager, text: string): Promise<Schemas['VirtualKey'][]> {
  return listKeysOfUserId(manager, (await findUser(manager, text)).id);
}

/** Lists the keys of a user by id, newest first. */
export async function listKeysOfUserId(manager: Manager, id: string): Promise<Schemas['VirtualKey'][]> {
  const call = manager.api.GET('/v1/users/{id}/keys', { params: { path: { id } } });
  const { keys } = await readResponse(manager, call, { fields: { keys: 'list' } });
  return keys;
}

/** Enables or disables a user's key. Only an administrator can enable a key disabled by this. */
export async function setUserKeyEnabled(manager: Manager, text: string, key: string, enabled: boolean): Promise<void> {
  const { id } = await findUser(manager, text);
  const params = { path: { id, key_id: key } };
  await readResponse(
    manager,
    enabled
      ? manager.api.POST('/v1/users/{id}/keys/{key_id}/enable', { params })
      : manager.api.POST('/v1/users/{id}/keys/{key_id}/disable', { params }),
    { list: `gatehouse admin users keys ${id}` },
  );
}

/** Deactivates or activates a user whose entry is not provisioned by SCIM. */
export async function setActive(manager: Manager, text: string, active: boolean): Promise<User> {
  const { id } = await findUser(manager, text);
  const params = { path: { id } };
  return readResponse(
    manager,
    active
      ? manager.api.POST('/v1/users/{id}/activate', { params })
      : manager.api.POST('/v1/users/{id}/deactivate', { params }),
    { list: LIST },
  );
}
