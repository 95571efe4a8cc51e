import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec, type CursorBinding } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';

/** The filters of a list, which a page token is bound to. */
export interface PageFilters {
  readonly labelSelector: string | undefined;
  readonly gatewayRef: string | undefined;
}

/** The time for which a page token is valid. */
const VALID_MS = 15 * 60_000;

/**
 * Creates and opens page tokens of the list of policies. A token contains the name of the last
 * policy of its page and its time, and is bound to the filters and the caller by HMAC.
 */
@Injectable()
export class PageTokens {
  constructor(
    private readonly codec: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** The token of the page after the policy `lastName`. */
  seal(lastName: string, filters: PageFilters, caller: Caller): string {
    return this.codec.seal(createBinding(filters, caller), [lastName, this.clock.now().getTime()]);
  }

  /**
   * Returns the name after which the page of a token begins.
   * @throws HttpError invalid with the code `invalid_page_token` for a token of other filters or of
   * another caller, for a forged one and for one that is older than 15 minutes
   */
  open(token: string, filters: PageFilters, caller: Caller): string {
    const [lastName, issuedAt] = this.openSealed(token, filters, caller);
    const age = this.clock.now().getTime() - Number(issuedAt);
    if (age > VALID_MS) throw createPageTokenError('has expired; begin with the first page');
    return String(lastName);
  }

  private openSealed(token: string, filters: PageFilters, caller: Caller) {
    try {
      return this.codec.open(createBinding(filters, caller), token);
    } catch (cause) {
      throw createPageTokenError('is not a token of this list, filters and caller; begin with the first page', cause);
    }
  }
}

const createBinding = (filters: PageFilters, caller: Caller): CursorBinding => ({
  list: 'ai-policies',
  // The id of the issuer stays the same when the AIGateway names another issuer.
  filters: { ...filters, issuer: caller.issuer },
  caller,
});

const createPageTokenError = (message: string, cause?: unknown): HttpError =>
  new HttpError('invalid', `pageToken: ${message}`, {
    code: 'invalid_page_token',
    violations: [{ field: '/pageToken', message }],
    cause,
  });
