import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The reason why a token was not accepted. Two codes are not a fault of the token, and a later
 * attempt may succeed: `unavailable` (its issuer does not answer) and `not_configured` (the
 * verifier has no configuration now).
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
  | 'inactive'
  | 'unavailable'
  | 'not_configured';

/**
 * A token was not accepted. The code is stable. The message is for logs and never holds a part of
 * the token.
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
