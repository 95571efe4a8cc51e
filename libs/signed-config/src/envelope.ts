import { canonicalBytes, canonicalText, digestOf, type JsonObject } from './canonical.ts';

/** The format of envelopes that this library writes and reads. */
export const SCHEMA_VERSION = '1';

/**
 * `typ` of the signature: a signature over anything else, made with the same key, is not one of an
 * envelope (RFC 8725 §3.11).
 */
export const SIGNATURE_TYPE = 'gatehouse-config+jws';

/** What a client does while a dependency of the manager is down, as an envelope says it. */
export type DegradedMode = {
  /** `warn`: go on and say so; `block_new`: start nothing new. */
  policy: 'warn' | 'block_new';
  /** How long that may last, a duration such as `24h`. */
  grace_period: string;
  /** Text for the person. */
  message: string;
  /**
   * Whether a dependency is down now. Absent means true: a manager that does not know this member
   * sends `degraded_mode` only while one is down.
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

/** The signed configuration of one person for one type of client. */
export type ConfigEnvelope = UnsignedEnvelope & {
  /**
   * `sha256:` and the digest of `config` and `degraded_mode`: the same content has the same etag
   * whenever it was issued.
   */
  etag: string;
  /** Detached JWS, `<protected header>..<signature>` (RFC 7515 appendix F). */
  signature: string;
};

/** For whom an envelope is made. */
export interface Recipient {
  /** Type of the client, `gatehouse-cli` for example. */
  audience: string;
  /** Issuer of the person's tokens. */
  issuer: string;
  /** Subject of the person's tokens. */
  subject: string;
}

/** The bytes under the signature: the canonical envelope without `signature` and `etag`. */
export function signedBytes(envelope: JsonObject): Uint8Array {
  const { signature: _signature, etag: _etag, ...signed } = envelope;
  return canonicalBytes(signed);
}

/** The etag of a content. */
export const etagOfContent = (config: JsonObject, degradedMode: DegradedMode | JsonObject | undefined): string =>
  digestOf({ config, ...(degradedMode !== undefined && { degraded_mode: degradedMode }) });

/**
 * The `sub` of a signature: the canonical JSON list of issuer and subject. A subject alone is a
 * person only within its issuer, and no two people can be written in the same way.
 */
export const personOf = ({ issuer, subject }: Pick<Recipient, 'issuer' | 'subject'>): string =>
  canonicalText([issuer, subject]);

/** The `iat` of a signature: `issued_at` in whole seconds since 1970. */
export const issuedAtSeconds = (issuedAt: string): number => Math.floor(Date.parse(issuedAt) / 1000);
