import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { SignInReason } from '../ports/personal-credentials.ts';

interface UnavailableOptions {
  reached?: boolean;
  isLimit?: boolean;
  advice?: string;
  signInReason?: SignInReason;
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
  /** Why the user has to sign in at the provider; undefined for other failures. */
  readonly signInReason: SignInReason | undefined;

  /**
   * Whether the upstream failed; otherwise the gateway lacks a credential or refuses the response.
   */
  get isOutage(): boolean {
    return this.advice === RETRY_ADVICE;
  }

  constructor(
    message: string,
    { reached = false, isLimit = false, advice = RETRY_ADVICE, signInReason, cause }: UnavailableOptions = {},
  ) {
    super(message, { cause });
    this.reached = reached;
    this.isLimit = isLimit;
    this.advice = advice;
    this.signInReason = signInReason;
  }
}
