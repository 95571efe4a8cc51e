import { readResponse, type Manager } from './manager.ts';
import { isId } from './named.ts';
import { listUsers } from './users.ts';

/**
 * A user or group that a table names: a user by the `subject_id` (`user`) or the directory id
 * (`entry`), a group by its id.
 */
export interface Subject {
  readonly scope: 'user' | 'entry' | 'group';
  readonly subject_id: string;
}

/** Returns the name of a user or group; the id without a known name. */
export type NameResolver = (scope: Subject['scope'], id: string) => string;

/** The most concurrent requests for names. */
const AT_ONCE = 8;

const getKey = ({ scope, subject_id: id }: Subject): string => `${scope} ${id}`;

/** The subjects without duplicates. */
export const uniqueSubjects = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [getKey(subject), subject])).values(),
];

/**
 * The names of subjects: user names, and display names of groups. A subject that is unknown or
 * ambiguous is shown by its id.
 */
export async function fetchNames(manager: Manager, subjects: readonly Subject[]): Promise<NameResolver> {
  const names = new Map<string, string>();
  const waiting = [...subjects];
  const ask = async (): Promise<void> => {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
      const { scope, subject_id: id } = subject;
      const name = await NAME_BY_SCOPE[scope](manager, id);
      if (name !== undefined) names.set(getKey(subject), name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (scope, id) => names.get(getKey({ scope, subject_id: id })) ?? id;
}

async function nameOfEntry(manager: Manager, id: string): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const call = manager.api.GET('/v1/users/{id}', { params: { path: { id } } });
  if ((await call).response.status === 404) return undefined;
  return (await readResponse(manager, call, { fields: { user_name: 'text' } })).user_name;
}

async function nameOfUser(manager: Manager, subject: string): Promise<string | undefined> {
  const { items } = await listUsers(manager, { subject_id: subject }, { limit: 2, all: false });
  return items.length === 1 ? items[0]?.user_name : undefined;
}

async function nameOfGroup(manager: Manager, id: string): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const call = manager.api.GET('/v1/groups/{id}', { params: { path: { id } } });
  if ((await call).response.status === 404) return undefined;
  return (await readResponse(manager, call, { fields: { display_name: 'text' } })).display_name;
}

const NAME_BY_SCOPE: Readonly<Record<Subject['scope'], (manager: Manager, id: string) => Promise<string | undefined>>> =
  { user: nameOfUser, entry: nameOfEntry, group: nameOfGroup };
