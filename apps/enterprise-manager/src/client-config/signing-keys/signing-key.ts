/**
 * The life of a signing key: `next` is shown by the key set and signs nothing yet, `current` signs,
 * `previous` only verifies until the last envelope that it signed is over, and the last chain of
 * tool calls of which it signed a checkpoint is dropped. Then it is gone.
 */
export type SigningKeyState = 'next' | 'current' | 'previous';

/**
 * How long clients and everything between may keep a key set (`Cache-Control: max-age` of the key
 * set).
 */
export const KEY_SET_MAX_AGE_SECONDS = 300;

/**
 * How long a key is shown before it may sign, in milliseconds: twice the age of any remembered key
 * set. Whoever meets an envelope can then have the key that signed it, without asking again.
 */
export const SHOWN_BEFORE_SIGNING_MS = 2 * KEY_SET_MAX_AGE_SECONDS * 1000;

/** A public key on P-256, coordinates in base64url. */
export interface PublicPoint {
  x: string;
  y: string;
}

/** A key of the key set (RFC 7517, RFC 7518 §6.2.1). */
export const jwkOf = ({ kid, x, y }: PublicPoint & { kid: string }) => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid,
  alg: 'ES256',
  use: 'sig',
});

/** How long until a next key may become the current one, in milliseconds; 0 when it may. */
export const untilItMaySign = ({ created_at }: { created_at: string }, now: Date): number =>
  Math.max(0, Date.parse(created_at) + SHOWN_BEFORE_SIGNING_MS - now.getTime());

/**
 * Until when a key that stops signing now is shown: until everything that it can have signed is
 * over. Another replica may go on with it for a second, and one that has lost the database until
 * the grace of its clients ends; a client may ask for the key set just before the end and keep it
 * for its age.
 *
 * @param lastEnd end of the last thing that it is known to have signed
 */
export function shownUntil(
  now: Date,
  { lifetimeMs, graceMs, lastEnd }: { lifetimeMs: number; graceMs: number; lastEnd: string | null },
): Date {
  const known = lastEnd === null ? 0 : Date.parse(lastEnd);
  const possible = now.getTime() + Math.max(lifetimeMs, graceMs);
  return new Date(Math.max(known, possible) + SHOWN_BEFORE_SIGNING_MS);
}
