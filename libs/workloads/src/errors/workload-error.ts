import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The kinds of errors of a workload. The CLI maps each to an exit code.
 *
 * - `usage`: a flag or argument is invalid; nothing was started.
 * - `no-engine`: no container engine answers.
 * - `conflict`: another workload or program has the name or the port.
 * - `refused`: a rule (verification, policy) refuses the workload.
 * - `failed`: all other errors.
 */
export type WorkloadErrorCode = 'usage' | 'no-engine' | 'conflict' | 'refused' | 'failed';

/** An expected error: one sentence, and what to do next. */
export class WorkloadError extends GatehouseError {
  override readonly code: WorkloadErrorCode;
  /** Commands or changes that can help; may be empty. */
  readonly tryNext: readonly string[];
  /** The last lines of output of the server, where they can help. */
  readonly excerpt: readonly string[];

  constructor(
    code: WorkloadErrorCode,
    message: string,
    tryNext: readonly string[] = [],
    cause?: unknown,
    excerpt: readonly string[] = [],
  ) {
    super(message, { cause, expose: true });
    this.code = code;
    this.tryNext = tryNext;
    this.excerpt = excerpt;
  }
}

/** An image that the runtime does not have and cannot get. */
export class ImagePullError extends WorkloadError {
  constructor(message: string, tryNext: readonly string[], cause: unknown) {
    super('failed', message, tryNext, cause);
  }
}

/** Maximum length of a flag with its value in a message. */
const MAX_TYPED_LENGTH = 200;

/**
 * Creates a usage error whose message begins with the flag.
 * @param typed the flag, with its value where that can help
 */
export function flagError(typed: string, problem: string, ...tryNext: string[]): WorkloadError {
  return new WorkloadError('usage', `${formatTyped(typed)} ${problem}`, tryNext);
}

/** Writes a flag and its value in one line: control characters as codes, and no endless value. */
function formatTyped(typed: string): string {
  const cut = typed.length > MAX_TYPED_LENGTH ? `${typed.slice(0, MAX_TYPED_LENGTH)}…` : typed;
  return cut.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the message of any thrown value. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
