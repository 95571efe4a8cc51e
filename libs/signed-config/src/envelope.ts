import { canonicalBytes, canonicalText, computeDigest, type JsonObject } from './canonical.ts';

/** The `schema_version` that this library writes and reads. */
export const SCHEMA_VERSION = '1';

/**
 * The `typ` of the signature of an envelope. Other signatures with the same key have another `typ`
 * (RFC 8725 §3.11).
 */
export const SIGNATURE_TYPE = 'gatehouse-config+jws';

/** The behaviour of clients while a dependency of the manager is down. */
export type DegradedMode = {
  /** `warn`: continue with a warning; `block_new`: start no new work. */
  policy: 'warn' | 'block_new';
  /** The longest time of this behaviour, a duration such as `24h`. */
  grace_period: string;
  /** Message for the user. */
  message: string;
  /**
   * Whether a dependency is down now. A missing value means true, because older managers send
   * `degraded_mode` only during an outage.
   */
  in_force?: boolean;
};

/**
 * A configuration before it is signed. Times are RFC 3339 in UTC; `refresh_interval` is a duration
 * such as `5m`.
 */
export type UnsignedEnvelope = {
  schema_version: string;
  config: JsonObject;
  degraded_mode?: DegradedMode;
  issued_at: string;
  not_after: string;
  refresh_interval: string;
};

/** The signed configuration of one user for one type of client. */
export type ConfigEnvelope = UnsignedEnvelope & {
  /** `sha256:` and the digest of `config` and `degraded_mode`. Equal content has an equal etag. */
  etag: string;
  /** Detached JWS, `<protected header>..<signature>` (RFC 7515 appendix F). */
  signature: string;
};

/** The recipient of an envelope. */
export interface Recipient {
  /** Type of the client, `gatehouse-cli` for example. */
  audience: string;
  /** Issuer of the user's tokens. */
  issuer: string;
  /** Subject of the user's tokens. */
  subject: string;
}

/** The bytes under the signature: the canonical envelope without `signature` and `etag`. */
export function signedBytes(envelope: JsonObject): Uint8Array {
  const { signature: _signature, etag: _etag, ...signed } = envelope;
  return canonicalBytes(signed);
}

/** The etag of a content. */
export const etagOfContent = (config: JsonObject, degradedMode: DegradedMode | JsonObject | undefined): string =>
  computeDigest({ config, ...(degradedMode !== undefined && { degraded_mode: degradedMode }) });

/**
 * The `sub` of a signature: the canonical JSON list of issuer and subject. It is unique, since a
 * subject identifies a user only within its issuer.
 */
export const formatUserClaim = ({ issuer, subject }: Pick<Recipient, 'issuer' | 'subject'>): string =>
  canonicalText([issuer, subject]);

/** The `iat` of a signature: `issued_at` in whole seconds since 1970. */
export const issuedAtSeconds = (issuedAt: string): number => Math.floor(Date.parse(issuedAt) / 1000);
