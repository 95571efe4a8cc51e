import { flagError } from '../errors/workload-error.ts';

/** The group of workloads without `--group`. It always exists. */
export const DEFAULT_GROUP = 'default';
/** The longest name; it is also the name of a file. */
const MAX_LENGTH = 100;
const VALID = /^[a-z0-9_-]+(?: [a-z0-9_-]+)*$/;

/** Whether a text is the name of a group: lower-case words with single blanks between them. */
export function isGroupName(text: string): boolean {
  return text.length <= MAX_LENGTH && VALID.test(text);
}

/**
 * Checks the name of a group.
 * @param typed begins the message: `--group`, or the argument of a command
 * @throws WorkloadError (usage)
 */
export function requireGroupName(typed: string, name: string): string {
  if (isGroupName(name)) return name;
  const lower = name.toLowerCase().trim().replace(/\s+/g, ' ');
  throw flagError(
    `${typed} '${name}'`,
    `is not a group name; a name is at most ${MAX_LENGTH} lower-case letters, digits, '_', '-' and single blanks between words`,
    ...(lower !== name && isGroupName(lower) ? [`'${lower}'   is a group name`] : []),
  );
}
