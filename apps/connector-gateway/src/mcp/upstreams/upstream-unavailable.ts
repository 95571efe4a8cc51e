import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

interface UnavailableOptions {
  reached?: boolean;
  isLimit?: boolean;
  advice?: string;
  cause?: unknown;
}

const RETRY_ADVICE = 'Try again later, or go on without it.';

/**
 * The upstream refused, failed before, or did not answer. The message is a sentence for the caller.
 */
export class UpstreamUnavailableError extends GatehouseError {
  override readonly code = 'upstream_unavailable';
  /** Whether the upstream may have received the request. */
  readonly reached: boolean;
  /** Whether a response was beyond the limits, so that another request would fail as well. */
  readonly isLimit: boolean;
  /** The next step for the caller. */
  readonly advice: string;

  /**
   * Whether the upstream failed; otherwise the gateway lacks a credential or refuses the response.
   */
  get isOutage(): boolean {
    return this.advice === RETRY_ADVICE;
  }

  constructor(
    message: string,
    { reached = false, isLimit = false, advice = RETRY_ADVICE, cause }: UnavailableOptions = {},
  ) {
    super(message, { cause });
    this.reached = reached;
    this.isLimit = isLimit;
    this.advice = advice;
  }
}
