import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * Why an envelope is not accepted. The codes are stable: clients show and count them.
 *
 * - `malformed`: not an envelope, or one whose parts contradict each other
 * - `duplicate_member`: a JSON object names a member twice, so that two readers could see two
 *   configurations
 * - `unsupported_schema`: a `schema_version` that this client does not know
 * - `unsupported_algorithm`: signed with anything but ES256, or naming its own key (RFC 8725 §3.1)
 * - `unsupported_header`: not the detached, unencoded form (RFC 7797), or with header members that
 *   this client does not know
 * - `unknown_key`: the key set holds no key of that id for this purpose
 * - `bad_signature`: not signed by that key, or changed since
 * - `etag_mismatch`: `etag` is not the digest of the content
 * - `wrong_audience`: made for another type of client
 * - `wrong_subject`: made for another person
 * - `expired`: `not_after` has come
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

/**
 * The envelope must not be used. The message is for people and holds nothing of the configuration.
 */
export class SignedConfigError extends GatehouseError {
  constructor(
    override readonly code: SignedConfigCode,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}
