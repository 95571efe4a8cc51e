/** The parts of an error besides its code and its message. */
export interface ErrorDetails {
  /** The error that led to this one. It is for logs only. */
  readonly cause?: unknown;
  /** Milliseconds until another try can succeed; absent when the same try cannot succeed. */
  readonly retryAfterMs?: number | undefined;
  /**
   * Whether the message may be shown to the caller of the failed operation. Default false: the
   * message is for logs.
   */
  readonly expose?: boolean;
}

/**
 * The base class of all errors of Gatehouse. A subclass is named after the failure and ends in
 * `Error`; it adds the data that its handler needs.
 *
 * A message is one readable sentence. It never contains a secret, a token or a prompt.
 */
export abstract class GatehouseError extends Error {
  /** Identifies the failure for programs. It stays the same when the message changes. */
  abstract readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly expose: boolean;

  constructor(message?: string, { cause, retryAfterMs, expose = false }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.retryAfterMs = retryAfterMs;
    this.expose = expose;
  }
}
