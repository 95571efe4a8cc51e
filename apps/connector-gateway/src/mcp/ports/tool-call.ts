/** What is known about a call when it starts or is refused. */
export interface CallFacts {
  /** When the call arrived. */
  occurredAt: Date;
  issuer: string;
  subject: string;
  /** The directory's id; unknown for somebody who has no active entry. */
  userId: string | undefined;
  userEmail: string | undefined;
  /** Groups that held the person, directly or through subgroups. */
  groupIds: readonly string[];
  connectorId: string | undefined;
  connectorName: string | undefined;
  /** The upstream's own name; for a tool that nobody is offered, the name as it was asked for. */
  toolName: string;
  /**
   * Lower-case hex SHA-256 of the arguments as canonical JSON; undefined for a tool that the person
   * is not offered.
   */
  argumentsSha256: string | undefined;
  /** First 12 hex digits of the SHA-256 of the definition as the caller saw it. */
  definitionVersion: string | undefined;
}

/**
 * How a call that reached its upstream ended. `unspecified`: it was not seen to end, or the
 * upstream asked for more input.
 */
export type Outcome = 'ok' | 'error' | 'unspecified';

/** How a call came to its end. */
export interface CallEnd {
  outcome: Outcome;
  /** From the arrival of the call. */
  durationMs: number;
  billable: boolean;
  /** Why it is billable or not, in a few words. */
  reason: string;
}

/**
 * The end of an allowed call: it is billable when it reached its upstream, and its answer is an
 * answer.
 */
export function endOf(outcome: Outcome, reached: boolean, durationMs: number): CallEnd {
  if (!reached) return { outcome, durationMs, billable: false, reason: 'upstream not reached' };
  if (outcome === 'unspecified')
    return { outcome, durationMs, billable: false, reason: 'the upstream asked for more input' };
  return { outcome, durationMs, billable: true, reason: 'reached the upstream' };
}

/**
 * Why a call never reached an upstream: `denied` by policy, or `not_evaluated` because nothing
 * could be decided about it.
 */
export type Refused = 'denied' | 'not_evaluated';

/**
 * Where calls are written down. Each promise resolves when the record is committed; no answer
 * leaves before. A call that cannot be written down is not made.
 */
export interface CallRecorder {
  /**
   * A call that is refused.
   * @param reason in a few words, where there is more to say than the category does
   * @param outcome `error` where an upstream failed
   */
  refused(facts: CallFacts, category: Refused, reason?: string, outcome?: 'error' | 'unspecified'): Promise<void>;
  /** A call that is about to reach its upstream. @returns its id */
  started(facts: CallFacts): Promise<string>;
  finished(callId: string, end: CallEnd): Promise<void>;
}

/** Longest name that a record keeps; what a caller makes up may be longer. */
const MAX_TOOL_NAME = 256;

/** A tool name as a record can keep it: bounded, one line of whole characters, never empty. */
export function recordableName(name: string): string {
  const line = name
    .slice(0, MAX_TOOL_NAME)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
    .trim();
  return line === '' ? '(none)' : line;
}

/** An e-mail address as a record can keep it; a claim can hold anything. */
export function recordableEmail(email: string | undefined): string | undefined {
  return email !== undefined && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,320}$/u.test(email) ? email : undefined;
}
