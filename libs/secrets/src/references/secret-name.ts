import { SecretsError } from '../secrets-error.ts';

/** The longest name of a secret, in UTF-16 code units. */
const MAX_NAME_LENGTH = 256;

/** Beginnings of the names that Gatehouse and ToolHive store for themselves. */
const RESERVED_PREFIXES = ['__gatehouse_', '__thv_'] as const;

/** Whether the name is reserved: commands of users neither show nor change such a secret. */
export const isReservedName = (name: string): boolean => RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** The reason why a text cannot be the name of a secret of a user; undefined for a valid name. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'has an empty name';
  if (name.length > MAX_NAME_LENGTH) return `has a name of more than ${MAX_NAME_LENGTH} characters`;
  if (name.includes(',')) return 'has a comma in its name';
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has a control character in its name';
  if (name.trim() !== name) return 'has a blank at the beginning or the end of its name';
  if (!isReservedName(name)) return undefined;
  return `has a name that begins with ${RESERVED_PREFIXES.find((prefix) => name.startsWith(prefix)) ?? ''}, which is reserved for Gatehouse itself`;
}

/**
 * Checks the name of a secret of a user.
 * @throws SecretsError (invalid_secret_name)
 */
export function checkSecretName(name: string): void {
  const problem = findNameProblem(name);
  if (problem !== undefined) {
    throw new SecretsError('invalid_secret_name', `The secret ${JSON.stringify(name.slice(0, 100))} ${problem}`, [
      'a name such as github-token',
    ]);
  }
}
