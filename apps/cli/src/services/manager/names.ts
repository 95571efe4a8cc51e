import { answerOf, type Manager } from './manager.ts';
import { isId } from './named.ts';
import { listUsers } from './users.ts';

/** Whom budgets and charges speak of: a person by the subject of their tokens, or a group by its id. */
export interface Subject {
  readonly scope: 'user' | 'group';
  readonly subject_id: string;
}

/** What somebody is called; the id itself where no name is known. */
export type NameOf = (scope: Subject['scope'], id: string) => string;

/** Names that are asked for at a time. */
const AT_ONCE = 8;

const keyOf = ({ scope, subject_id: id }: Subject): string => `${scope} ${id}`;

/** The same subjects, each once. */
export const eachOnce = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
];

/** What the directory calls these: user names, and the display names of groups. Whom it does not know, or has several of, keeps the id. */
export async function namesOf(manager: Manager, subjects: readonly Subject[]): Promise<NameOf> {
  const names = new Map<string, string>();
  const waiting = [...subjects];
  const ask = async (): Promise<void> => {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
      const { scope, subject_id: id } = subject;
      const name = scope === 'user' ? await nameOfUser(manager, id) : await nameOfGroup(manager, id);
      if (name !== undefined) names.set(keyOf(subject), name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (scope, id) => names.get(keyOf({ scope, subject_id: id })) ?? id;
}

async function nameOfUser(manager: Manager, subject: string): Promise<string | undefined> {
  const { items } = await listUsers(manager, { subject_id: subject }, { limit: 2, all: false });
  return items.length === 1 ? items[0]?.user_name : undefined;
}

async function nameOfGroup(manager: Manager, id: string): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const call = manager.api.GET('/v1/groups/{id}', { params: { path: { id } } });
  if ((await call).response.status === 404) return undefined;
  return (await answerOf(manager, call, { fields: { display_name: 'text' } })).display_name;
}
