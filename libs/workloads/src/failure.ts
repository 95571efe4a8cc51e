import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * What can go wrong around a workload, told apart by what the person can do next. The CLI turns the
 * code into an exit code.
 *
 * - `usage`: a flag or argument has no valid meaning; nothing was started.
 * - `no-engine`: no container engine answers.
 * - `conflict`: a name or a port belongs to something else.
 * - `refused`: a rule (verification, policy) says no.
 * - `failed`: everything else.
 */
export type FailureCode = 'usage' | 'no-engine' | 'conflict' | 'refused' | 'failed';

/** An expected failure: one readable sentence, and what to try next. */
export class WorkloadFailure extends GatehouseError {
  override readonly code: FailureCode;
  /**
   * One or more commands or changes that are likely to help; empty when the sentence says it all.
   */
  readonly tryNext: readonly string[];
  /** The last lines that the server itself wrote, where they may tell more. */
  readonly excerpt: readonly string[];

  constructor(
    code: FailureCode,
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

/** A usage failure that begins with the flag it is about. */
export function badFlag(flag: string, why: string, ...tryNext: string[]): WorkloadFailure {
  return new WorkloadFailure('usage', `${flag} ${why}`, tryNext);
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
