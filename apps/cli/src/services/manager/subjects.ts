import { groupOf } from './groups.ts';
import type { Manager } from './manager.ts';
import { isId } from './named.ts';
import { personOf } from './users.ts';

/**
 * The id by which budgets and charges name a person or a group, from what was typed: what the
 * directory calls them, or that id itself, of which somebody who is gone or still to come is left.
 * @throws CliError for a group that there is not, and for a name of several
 */
export async function subjectIdOf(manager: Manager, scope: 'user' | 'group', text: string): Promise<string> {
  if (scope === 'user') return (await personOf(manager, text, 'taken')).subject_id;
  return isId(text) ? text : (await groupOf(manager, text)).id;
}
