import { flattenedVerify } from 'jose';
import type { JsonObject } from './canonical.ts';
import { parseDuration } from './duration.ts';
import {
  type DegradedMode,
  etagOfContent,
  formatUserClaim,
  type Recipient,
  SCHEMA_VERSION,
  signedBytes,
} from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { checkHeader, readHeader } from './header.ts';
import { importKey } from './key-set.ts';
import { parseEnvelope } from './shape.ts';

/** The values that an envelope must match. */
export interface Expectation extends Recipient {
  now: Date;
  /**
   * `issued_at` of the envelope that this client accepted last from this manager for this
   * recipient, if there is one.
   */
  lastAccepted?: string | undefined;
  /**
   * The most that the manager's clock may be ahead of the client's, in milliseconds; default
   * 60,000. Expiry has no leeway.
   */
  leewayMs?: number;
}

/** A configuration that may be used. */
export interface VerifiedConfig {
  config: JsonObject;
  /** Present if a degraded mode is configured. `in_force` is false while it does not apply. */
  degraded_mode?: DegradedMode;
  etag: string;
  issued_at: string;
  not_after: string;
  /** Time until the next request, in milliseconds. */
  refresh_interval_ms: number;
  /** The key that signed. */
  kid: string;
}

const LEEWAY_MS = 60_000;

/**
 * Verifies an envelope from the manager or from the client's disk. No part of an envelope may be
 * used before this check.
 *
 * @param envelope the text as received, since a parsed object hides duplicate members
 * @param jwks the manager's key set (RFC 7517), fetched over the same trusted connection; this
 * function checks its form
 * @throws SignedConfigError with a stable code
 */
export async function verifyEnvelope(
  envelope: string | Uint8Array,
  jwks: unknown,
  expected: Expectation,
): Promise<VerifiedConfig> {
  const parsed = parseEnvelope(envelope);
  const header = readHeader(parsed.envelope.signature);
  const { kid, aud, sub } = checkHeader(header.members);
  const key = await importKey(jwks, kid);
  try {
    const payload = signedBytes(parsed.whole);
    await flattenedVerify({ protected: header.protected, payload, signature: header.signature }, key, {
      algorithms: ['ES256'],
    });
  } catch (cause) {
    throw new SignedConfigError('bad_signature', 'the signature of the envelope is not valid', { cause });
  }
  const { config, degraded_mode, etag, issued_at, not_after, refresh_interval, schema_version } = parsed.envelope;
  if (schema_version !== SCHEMA_VERSION)
    throw new SignedConfigError('unsupported_schema', 'the schema_version of the envelope is not known to this client');
  if (etag !== etagOfContent(config, degraded_mode))
    throw new SignedConfigError('etag_mismatch', 'the etag is not the digest of the content');
  if (aud !== expected.audience)
    throw new SignedConfigError('wrong_audience', 'the envelope was made for another type of client');
  if (sub !== formatUserClaim(expected))
    throw new SignedConfigError('wrong_subject', 'the envelope was made for another user');
  checkTimes({ issued_at, not_after, iat: header.members['iat'] }, expected);
  return {
    config,
    ...(degraded_mode && { degraded_mode }),
    etag,
    issued_at,
    not_after,
    refresh_interval_ms: parseDuration(refresh_interval) ?? 0,
    kid,
  };
}

function checkTimes(
  { issued_at, not_after, iat }: { issued_at: string; not_after: string; iat: unknown },
  { now, lastAccepted, leewayMs = LEEWAY_MS }: Expectation,
): void {
  const issued = Date.parse(issued_at);
  const end = Date.parse(not_after);
  if (iat !== Math.floor(issued / 1000) || end <= issued)
    throw new SignedConfigError('malformed', 'the times of the envelope contradict each other');
  if (now.getTime() >= end) throw new SignedConfigError('expired', `the envelope expired at ${not_after}`);
  if (issued > now.getTime() + leewayMs)
    throw new SignedConfigError('issued_in_future', 'issued_at is in the future; check the clock of this machine');
  if (lastAccepted !== undefined && !(issued >= Date.parse(lastAccepted)))
    throw new SignedConfigError(
      'rolled_back',
      `the envelope is older than the last accepted one, which was issued at ${lastAccepted}`,
    );
}
