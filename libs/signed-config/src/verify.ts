import { flattenedVerify } from 'jose';
import type { JsonObject } from './canonical.ts';
import { parseDuration } from './duration.ts';
import {
  type DegradedMode,
  etagOfContent,
  userClaimOf,
  type Recipient,
  SCHEMA_VERSION,
  signedBytes,
} from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { checkHeader, readHeader } from './header.ts';
import { keyOf } from './key-set.ts';
import { parseEnvelope } from './shape.ts';

/** What the client expects of an envelope. */
export interface Expectation extends Recipient {
  now: Date;
  /**
   * `issued_at` of the envelope that this client accepted last from this manager for this
   * recipient, if there is one.
   */
  lastAccepted?: string | undefined;
  /**
   * How far the manager's clock may be ahead of the client's, in milliseconds; default 60,000.
   * Expiry knows no leeway.
   */
  leewayMs?: number;
}

/** A configuration that may be used. */
export interface VerifiedConfig {
  config: JsonObject;
  /**
   * Present where one is configured, and while a dependency of the manager is down; `in_force`
   * false means the former.
   */
  degraded_mode?: DegradedMode;
  etag: string;
  issued_at: string;
  not_after: string;
  /** When to ask again, in milliseconds. */
  refresh_interval_ms: number;
  /** The key that signed. */
  kid: string;
}

const LEEWAY_MS = 60_000;

/**
 * Verifies an envelope as it came from the manager, or from the client's own disk: nothing of it
 * may be used before.
 *
 * @param envelope the text, not a parsed object: two members of one name must be seen
 * @param jwks the manager's key set (RFC 7517), fetched over the same trusted connection; it is
 * judged here
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
  const key = await keyOf(jwks, kid);
  try {
    const payload = signedBytes(parsed.whole);
    await flattenedVerify({ protected: header.protected, payload, signature: header.signature }, key, {
      algorithms: ['ES256'],
    });
  } catch (cause) {
    throw new SignedConfigError('bad_signature', 'the envelope is not signed by the key that it names', { cause });
  }
  const { config, degraded_mode, etag, issued_at, not_after, refresh_interval, schema_version } = parsed.envelope;
  if (schema_version !== SCHEMA_VERSION)
    throw new SignedConfigError('unsupported_schema', 'the envelope has a schema_version that is not known here');
  if (etag !== etagOfContent(config, degraded_mode))
    throw new SignedConfigError('etag_mismatch', 'the etag is not the digest of the content');
  if (aud !== expected.audience)
    throw new SignedConfigError('wrong_audience', 'the envelope was made for another type of client');
  if (sub !== userClaimOf(expected))
    throw new SignedConfigError('wrong_subject', 'the envelope was made for another person');
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
  if (now.getTime() >= end) throw new SignedConfigError('expired', `the envelope was good until ${not_after}`);
  if (issued > now.getTime() + leewayMs)
    throw new SignedConfigError('issued_in_future', 'the envelope is of the future, or the clock here is slow');
  if (lastAccepted !== undefined && !(issued >= Date.parse(lastAccepted)))
    throw new SignedConfigError(
      'rolled_back',
      `an envelope of ${lastAccepted} was accepted already; this one is older`,
    );
}
