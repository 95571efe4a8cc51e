import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The reason for which an envelope is refused. The codes are stable: clients show and count them.
 *
 * - `malformed`: not an envelope, or one whose parts contradict each other
 * - `duplicate_member`: a JSON object has a member twice, and parsers differ in which one they read
 * - `unsupported_schema`: a `schema_version` that this client does not know
 * - `unsupported_algorithm`: the algorithm is not ES256, or the header contains a key (RFC 8725
 *   §3.1)
 * - `unsupported_header`: not the detached, unencoded form (RFC 7797), or with header members that
 *   this client does not know
 * - `unknown_key`: the key set has no usable key with that id, or several
 * - `bad_signature`: the key did not sign this content
 * - `etag_mismatch`: `etag` is not the digest of the content
 * - `wrong_audience`: made for another type of client
 * - `wrong_subject`: made for another user
 * - `expired`: `not_after` has passed
 * - `issued_in_future`: `issued_at` is later than the client's clock allows
 * - `rolled_back`: older than the envelope that the client accepted last
 */
export type SignedConfigCode =
  | 'malformed'
  | 'duplicate_member'
  | 'unsupported_schema'
  | 'unsupported_algorithm'
  | 'unsupported_header'
  | 'unknown_key'
  | 'bad_signature'
  | 'etag_mismatch'
  | 'wrong_audience'
  | 'wrong_subject'
  | 'expired'
  | 'issued_in_future'
  | 'rolled_back';

/** An envelope must not be used. The message contains no part of the configuration. */
export class SignedConfigError extends GatehouseError {
  constructor(
    override readonly code: SignedConfigCode,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}
