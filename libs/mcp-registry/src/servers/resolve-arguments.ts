import { RegistryError } from '../registry-error.ts';
import type { LocalServer, MissingArgument } from './registry-server.ts';

/** A server needs arguments that only the user knows. */
export class MissingArgumentsError extends RegistryError {
  override readonly code = 'server_arguments_missing' as const;

  constructor(
    readonly server: string,
    readonly missing: readonly MissingArgument[],
  ) {
    const names = missing.map(({ name, description }) => (description === '' ? name : `${name} (${description})`));
    super(`${server} needs arguments: ${names.join(', ')}`, [
      `gatehouse run ${server} -- ${missing.map(({ name }) => name.toUpperCase()).join(' ')}`,
    ]);
  }
}

/**
 * The arguments of a server: those of the user replace those of the entry.
 * @throws MissingArgumentsError when the user gives none and the entry needs some
 */
export function resolveArguments(server: LocalServer, given: readonly string[]): readonly string[] {
  if (given.length > 0) return given;
  const { values, missing } = server.arguments;
  if (missing.length > 0) throw new MissingArgumentsError(server.name, missing);
  return values;
}
