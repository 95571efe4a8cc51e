import { HttpError } from '@gatehouse/service-kit/http-error';
import { timingSafeEqual } from 'node:crypto';
import type { Stored } from '../../database/stored.ts';
import type { ScimTokenRow } from './scim-token.entity.ts';

/** A token as it is stored. */
export type StoredScimToken = Stored<ScimTokenRow>;

/** What a token is good for. */
export type ScimTokenState = 'active' | 'expired' | 'revoked';

/**
 * How long the old secret goes on working after a rotation, in seconds, where the request does not
 * say.
 */
export const ROTATION_GRACE_SECONDS = 86_400;

/** Longest such time. */
export const LONGEST_GRACE_SECONDS = 7 * 86_400;

/** A use is written down once in this time, in milliseconds. */
export const USE_NOTED_EVERY_MS = 60_000;

/** What a token is good for at a time. */
export const stateOf = (token: Pick<StoredScimToken, 'revoked_at' | 'expires_at'>, now: Date): ScimTokenState => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && Date.parse(token.expires_at) <= now.getTime() ? 'expired' : 'active';
};

/**
 * Whether the digest of a presented secret opens the token now: its secret, or the one before it
 * while its grace lasts. Takes the same time for both.
 */
export const opens = (token: StoredScimToken, hash: Buffer, now: Date): boolean => {
  const current = timingSafeEqual(token.secret_hash, hash);
  const previous = token.previous_hash !== null && timingSafeEqual(token.previous_hash, hash);
  const inGrace = token.previous_valid_until !== null && now.getTime() < Date.parse(token.previous_valid_until);
  return stateOf(token, now) === 'active' && (current || (previous && inGrace));
};

/**
 * The token with a new secret. Of older ones only the newest goes on working.
 * @param graceSeconds 0: from now on only the new one
 */
export const rotated = (token: StoredScimToken, hash: Buffer, graceSeconds: number, now: Date): StoredScimToken => ({
  ...token,
  secret_hash: hash,
  previous_hash: graceSeconds === 0 ? null : token.secret_hash,
  previous_valid_until: graceSeconds === 0 ? null : new Date(now.getTime() + graceSeconds * 1_000).toISOString(),
  updated_at: now.toISOString(),
  version: token.version + 1,
});

/** @throws HttpError conflict for a token that can get no new secret */
export const requireRotatable = (token: StoredScimToken, now: Date): void => {
  const state = stateOf(token, now);
  if (state !== 'active') throw new HttpError('conflict', `this token is ${state}; create another one`);
};
