/** The facts of a call when it starts or is refused. */
export interface CallFacts {
  /** Time of arrival of the call. */
  occurredAt: Date;
  issuer: string;
  subject: string;
  /** The user's id in the directory; undefined without an active entry. */
  userId: string | undefined;
  userEmail: string | undefined;
  /** Groups of the user, directly or through subgroups. */
  groupIds: readonly string[];
  connectorId: string | undefined;
  connectorName: string | undefined;
  /** The upstream's own name; for a tool that is not offered, the requested name. */
  toolName: string;
  /**
   * Lower-case hex SHA-256 of the canonical JSON of the arguments; undefined for a tool that is not
   * offered to the user.
   */
  argumentsSha256: string | undefined;
  /** First 12 hex digits of the SHA-256 of the definition as the caller saw it. */
  definitionVersion: string | undefined;
}

/**
 * The outcome of a call that reached its upstream. `unspecified`: its end was not observed, or the
 * upstream requested more input.
 */
export type Outcome = 'ok' | 'error' | 'unspecified';

/** The end of a call. */
export interface CallEnd {
  outcome: Outcome;
  /** Since the arrival of the call. */
  durationMs: number;
  billable: boolean;
  /** The reason why the call is billable or not. */
  reason: string;
}

/**
 * The end of an allowed call. It is billable if it reached its upstream and its response is final.
 */
export function createCallEnd(outcome: Outcome, reached: boolean, durationMs: number): CallEnd {
  if (!reached) return { outcome, durationMs, billable: false, reason: 'upstream not reached' };
  if (outcome === 'unspecified')
    return { outcome, durationMs, billable: false, reason: 'the upstream asked for more input' };
  return { outcome, durationMs, billable: true, reason: 'reached the upstream' };
}

/**
 * The end of a call that its upstream runs as a task. Its outcome is not observed: only the client
 * decides whether the gateway ever sees it.
 */
export const createTaskEnd = (durationMs: number): CallEnd => ({
  outcome: 'unspecified',
  durationMs,
  billable: true,
  reason: 'reached the upstream, which runs it as a task',
});

/**
 * The reason why a call did not reach an upstream: `denied` by policy, or `not_evaluated` without a
 * decision.
 */
export type RejectionCategory = 'denied' | 'not_evaluated';

/**
 * Records calls. Each promise resolves when the record is committed, and the response waits for it.
 */
export interface CallRecorder {
  /**
   * Whether the last write failed. Then the record of a call is opened before the call is sent, so
   * that no call is made that cannot be recorded.
   */
  readonly isDoubtful: boolean;
  /**
   * Records a refused call.
   * @param reason if the category alone does not explain the refusal
   * @param outcome `error` if an upstream failed
   */
  recordRefusal(
    facts: CallFacts,
    category: RejectionCategory,
    reason?: string,
    outcome?: 'error' | 'unspecified',
  ): Promise<void>;
  /** Begins the record of a call that is sent to its upstream. Nothing is written yet. */
  begin(facts: CallFacts): RunningRecord;
  /** The open record of a call that another replica began. */
  continue(callId: string): RunningRecord;
}

/** The record of a running call. */
export interface RunningRecord {
  /** Id of the call. */
  readonly callId: string;
  /**
   * Writes the record before the end of the call, so that it exists even if this process stops. A
   * call that takes long or sends messages before its response needs it.
   */
  open(): Promise<void>;
  /** Completes the record. */
  end(end: CallEnd): Promise<void>;
}

/** The longest recorded name; the requested name may be longer. */
const MAX_TOOL_NAME = 256;

/** A tool name for a record: limited, one line of whole characters, never empty. */
export function normalizeToolName(name: string): string {
  const line = name
    .slice(0, MAX_TOOL_NAME)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
    .trim();
  return line === '' ? '(none)' : line;
}

/** An e-mail address for a record; undefined for a claim that cannot be an address. */
export function normalizeEmail(email: string | undefined): string | undefined {
  return email !== undefined && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,320}$/u.test(email) ? email : undefined;
}
