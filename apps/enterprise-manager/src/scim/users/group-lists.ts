import type { ElementPart } from '../protocol/element-text.ts';
import type { JsonText } from '../protocol/types.ts';

/** The groups of a person: their ids with commas between, and a letter for each: `d` for direct. */
interface GroupsOfUser {
  user_id: string;
  ids: string;
  facts: string;
}

/** Groups: their ids with commas between, and a JSON list of their names; null where there are none. */
interface NamedGroups {
  user_id: null;
  ids: string | null;
  facts: string | null;
}

/** A row about the groups of people: one for each person, and one that names all groups that are shown. */
export type GroupsRow = GroupsOfUser | NamedGroups;

/**
 * Writes `groups` of people as JSON. Page after page names the same groups, of which the database gives each once.
 * @param shown the parts of an element that an answer carries
 * @param base URL of the endpoint
 * @returns by the id of the person
 */
export function groupLists(
  rows: readonly GroupsRow[],
  shown: ReadonlySet<ElementPart>,
  base: string,
): Map<string, JsonText> {
  const named = rows.find((row) => row.user_id === null);
  const ids = named?.ids?.split(',') ?? [];
  const names = JSON.parse(named?.facts ?? '[]') as string[];
  const beginnings = new Map(ids.map((id, at) => [id, beginningOf(id, names[at] ?? '', shown, base)]));
  const lists = new Map<string, JsonText>();
  for (const row of rows) if (row.user_id !== null) lists.set(row.user_id, listOf(row, beginnings, shown));
  return lists;
}

/** An element as far as it is the same for everybody. */
function beginningOf(id: string, name: string, shown: ReadonlySet<ElementPart>, base: string): string {
  const element = {
    ...(shown.has('value') && { value: id }),
    ...(shown.has('$ref') && { $ref: `${base}/Groups/${id}` }),
    ...(shown.has('display') && { display: name }),
  };
  return JSON.stringify(element).slice(0, -1);
}

function listOf(
  { ids, facts }: GroupsOfUser,
  beginnings: ReadonlyMap<string, string>,
  shown: ReadonlySet<ElementPart>,
): JsonText {
  const elements: string[] = [];
  for (const [at, id] of ids.split(',').entries()) {
    const beginning = beginnings.get(id);
    if (beginning === undefined) continue;
    const type = shown.has('type') ? `"type":"${facts[at] === 'd' ? 'direct' : 'indirect'}"` : '';
    elements.push(`${beginning}${type !== '' && beginning !== '{' ? ',' : ''}${type}}`);
  }
  return `[${elements.join(',')}]`;
}
