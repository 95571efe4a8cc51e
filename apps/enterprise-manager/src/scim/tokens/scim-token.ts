import { HttpError } from '@gatehouse/service-kit/http-error';
import { timingSafeEqual } from 'node:crypto';
import type { Stored } from '@gatehouse/database/stored';
import type { ScimTokenRow } from './scim-token.entity.ts';

/** A stored token. */
export type StoredScimToken = Stored<ScimTokenRow>;

/** The state of a token. */
export type ScimTokenState = 'active' | 'expired' | 'revoked';

/** Default time in seconds for which the previous secret stays valid after a rotation. */
export const ROTATION_GRACE_SECONDS = 86_400;

/** Maximum of that time. */
export const MAX_GRACE_SECONDS = 7 * 86_400;

/** Minimum time between two recorded uses, in milliseconds. */
export const USE_RECORD_INTERVAL_MS = 60_000;

/** The state of a token at a time. */
export const getState = (token: Pick<StoredScimToken, 'revoked_at' | 'expires_at'>, now: Date): ScimTokenState => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && Date.parse(token.expires_at) <= now.getTime() ? 'expired' : 'active';
};

/**
 * Whether a token accepts the hash of a secret now: the current secret, or the previous one in its
 * grace period. The comparison takes constant time.
 */
export const canAcceptSecret = (token: StoredScimToken, hash: Buffer, now: Date): boolean => {
  const current = timingSafeEqual(token.secret_hash, hash);
  const previous = token.previous_hash !== null && timingSafeEqual(token.previous_hash, hash);
  const inGrace = token.previous_valid_until !== null && now.getTime() < Date.parse(token.previous_valid_until);
  return getState(token, now) === 'active' && (current || (previous && inGrace));
};

/**
 * Gives a token a new secret. The current secret becomes the previous one.
 * @param graceSeconds validity of the previous secret; 0 ends it at once
 */
export const rotateSecret = (
  token: StoredScimToken,
  hash: Buffer,
  graceSeconds: number,
  now: Date,
): StoredScimToken => ({
  ...token,
  secret_hash: hash,
  previous_hash: graceSeconds === 0 ? null : token.secret_hash,
  previous_valid_until: graceSeconds === 0 ? null : new Date(now.getTime() + graceSeconds * 1_000).toISOString(),
  updated_at: now.toISOString(),
  version: token.version + 1,
});

/** @throws HttpError conflict for an expired or revoked token */
export const requireRotatable = (token: StoredScimToken, now: Date): void => {
  const state = getState(token, now);
  if (state !== 'active') throw new HttpError('conflict', `this token is ${state}; create another one`);
};
