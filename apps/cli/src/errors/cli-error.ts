import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The stable code of an error. It decides the exit code, and `--json` prints it as `kind`.
 *
 * - `usage`: a flag, an argument or a field is not valid; the command did nothing.
 * - `conflict`: the present state does not allow the command.
 * - `refused`: a policy, the identity provider or the user does not allow the command.
 * - `failed`: every other failure.
 * - `interrupted`: Ctrl-C or a signal ended the command.
 */
export type CliErrorCode = 'usage' | 'conflict' | 'refused' | 'failed' | 'interrupted';

/** The base class of the errors of the CLI: one readable sentence, and what to try next. */
export abstract class CliError extends GatehouseError {
  abstract override readonly code: CliErrorCode;

  /** @param tryNext commands or changes that are likely to help */
  constructor(
    message: string,
    readonly tryNext: readonly string[] = [],
    cause?: unknown,
  ) {
    super(message, { cause, expose: true });
  }
}

/** A flag, an argument or a field that is not valid. */
export class UsageError extends CliError {
  override readonly code = 'usage' as const;
}

/** A command that the present state does not allow. */
export class ConflictError extends CliError {
  override readonly code = 'conflict' as const;
}

/** A command that a policy, the identity provider or the user does not allow. */
export class RefusedError extends CliError {
  override readonly code = 'refused' as const;
}

/** A command that failed for any other reason. */
export class CommandFailedError extends CliError {
  override readonly code = 'failed' as const;
}

/** The class of each code except `interrupted`. */
export const ERROR_TYPES = {
  usage: UsageError,
  conflict: ConflictError,
  refused: RefusedError,
  failed: CommandFailedError,
} as const;

/** Ctrl-C or a signal ended the command. */
export class InterruptedError extends CliError {
  override readonly code = 'interrupted' as const;

  constructor() {
    super('Interrupted');
  }
}

/** A usage error whose message begins with the flag. */
export function invalidFlag(flag: string, reason: string, ...tryNext: string[]): UsageError {
  return new UsageError(`${flag} ${reason}`, tryNext);
}
