import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

/** Whether a text is an id of the directory. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * The only item of a search by name.
 * @param what the kind of the items, such as `user`
 * @param label describes one candidate
 * @param list the command that lists all items
 * @throws CommandFailedError when no item matches, UsageError when several do
 */
export function requireUnique<T extends { id: string }>(
  what: string,
  name: string,
  found: readonly T[],
  label: (one: T) => string,
  list: string,
): T {
  const [first, ...others] = found;
  if (first === undefined) {
    throw new CommandFailedError(`There is no ${what} ${JSON.stringify(name)}`, [list]);
  }
  if (others.length === 0) return first;
  throw new UsageError(
    `${JSON.stringify(name)} is the name of ${found.length} ${what}s: give an id`,
    found.slice(0, 5).map((one) => `${one.id}   ${label(one)}`),
  );
}
