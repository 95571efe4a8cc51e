import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * Why a token was not accepted. `unavailable` is the only one that is not the token's fault: the
 * issuer's keys cannot be had, try again later.
 */
export type AuthErrorCode =
  | 'malformed'
  | 'too_large'
  | 'unsupported_header'
  | 'unsupported_algorithm'
  | 'unknown_issuer'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_audience'
  | 'expired'
  | 'not_yet_valid'
  | 'bad_claims'
  | 'unavailable';

/**
 * A token that was not accepted; the code is stable, the message is for logs and never holds a part
 * of the token.
 */
export class AuthError extends GatehouseError {
  constructor(
    override readonly code: AuthErrorCode,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}
