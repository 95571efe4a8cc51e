/**
 * The state of a signing key. `next` is in the key set and does not sign yet, `current` signs,
 * `previous` only verifies. A previous key is deleted when its last envelope has expired and the
 * last chain of tool calls with its checkpoints is dropped.
 */
export type SigningKeyState = 'next' | 'current' | 'previous';

/**
 * The time for which clients and caches may keep a key set (`Cache-Control: max-age`), in seconds.
 */
export const KEY_SET_MAX_AGE_SECONDS = 300;

/**
 * The time for which a key is in the key set before it signs, in milliseconds: twice the maximum
 * age of a cached key set. So every cached key set contains the key of a new envelope.
 */
export const ACTIVATION_DELAY_MS = 2 * KEY_SET_MAX_AGE_SECONDS * 1000;

/** A public key on the curve P-256; its coordinates in base64url. */
export interface PublicPoint {
  x: string;
  y: string;
}

/** Converts a public key to an entry of the key set (RFC 7517, RFC 7518 §6.2.1). */
export const toJwk = ({ kid, x, y }: PublicPoint & { kid: string }) => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid,
  alg: 'ES256',
  use: 'sig',
});

/** Returns the time until a next key can become the current key, in milliseconds; 0 if it can. */
export const getActivationDelayMs = ({ created_at }: { created_at: string }, now: Date): number =>
  Math.max(0, Date.parse(created_at) + ACTIVATION_DELAY_MS - now.getTime());

/**
 * Returns the time until which a key that stops signing now stays in the key set: until everything
 * that it may have signed has expired. Another replica can use the key for one more second, and for
 * the grace period if it has lost the database. A client can fetch the key set just before the end
 * and keep it for its maximum age.
 *
 * @param lastEnd the latest expiry of the stored envelopes and checkpoints of the key
 */
export function getShownUntil(
  now: Date,
  { lifetimeMs, graceMs, lastEnd }: { lifetimeMs: number; graceMs: number; lastEnd: string | null },
): Date {
  const known = lastEnd === null ? 0 : Date.parse(lastEnd);
  const possible = now.getTime() + Math.max(lifetimeMs, graceMs);
  return new Date(Math.max(known, possible) + ACTIVATION_DELAY_MS);
}
