import { findGroup } from './groups.ts';
import type { Manager } from './manager.ts';
import { isId } from './named.ts';
import { findSubject } from './users.ts';

/**
 * The id by which budgets and charges identify a user or group. The text is a name in the
 * directory, or this id itself, also of a subject that the directory does not contain.
 * @throws CliError for an unknown group name, and for a name that several subjects have
 */
export async function findSubjectId(manager: Manager, scope: 'user' | 'group', text: string): Promise<string> {
  if (scope === 'user') return (await findSubject(manager, text, 'taken')).subject_id;
  return isId(text) ? text : (await findGroup(manager, text)).id;
}
