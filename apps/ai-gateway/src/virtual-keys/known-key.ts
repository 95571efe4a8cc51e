import type { CacheEntry } from '@gatehouse/auth/key-cache';
import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../identity/principals.ts';
import type { ResolvedKey } from '../manager/received-documents.ts';
import type { ChangeSince } from './key-feed.ts';

/** A key is resolved again after this time at the latest, even without a change. */
const MAX_AGE_MS = 300_000;
/** A change of groups is spread over this time. With an answer of the manager it is below 1 s. */
const SPREAD_MS = 600;

const BASE_BYTES = 1_000;
const BYTES_PER_GROUP = 100;

/** A resolved key. Times are those of a monotonic clock, in milliseconds. */
export interface KnownKey {
  readonly principal: Principal;
  /** The key is used until then while the feed of changes is healthy. */
  freshUntil: number;
  /** The key is used until then in any case (`cache_seconds`). */
  readonly answerUntil: number;
  /** Whether the key may be used while the enterprise manager does not answer. */
  readonly hasGrace: boolean;
}

/** The moments of a resolution. */
interface ResolutionTimes {
  readonly requestedAt: number;
  readonly now: number;
}

/** The time at which the enterprise manager has read a key, at the earliest. */
export const computeReadTime = ({ age_ms }: ResolvedKey, requestedAt: number): number => requestedAt - age_ms;

/**
 * Creates the entry of a resolved key.
 * @param change what has changed since the key was read
 * @param previous the entry that it replaces
 */
export function createEntry(
  hash: string,
  key: ResolvedKey,
  change: ChangeSince,
  { requestedAt, now }: ResolutionTimes,
  previous: KnownKey | undefined,
): CacheEntry<KnownKey> {
  const answerUntil = computeReadTime(key, requestedAt) + key.cache_seconds * 1_000;
  const principal = createPrincipal(key);
  return {
    keyId: key.key_id,
    usableUntilMs: key.expires_at === undefined ? Infinity : Date.parse(key.expires_at),
    bytes: BASE_BYTES + BYTES_PER_GROUP * key.groups.length + 2 * key.claims.groups.join('').length,
    value: {
      // Grants of models are remembered for the object.
      principal: isDeepStrictEqual(previous?.principal, principal) ? (previous?.principal ?? principal) : principal,
      freshUntil: change === undefined ? now + (MAX_AGE_MS * (1 + getShare(hash))) / 2 : answerUntil,
      answerUntil,
      hasGrace: change !== 'key',
    },
  };
}

/** Lets a key be resolved again soon, each key at another time. */
export function shortenFreshness(hash: string, key: KnownKey, now: number): void {
  key.freshUntil = Math.min(key.freshUntil, now + SPREAD_MS * getShare(hash));
}

/** A share from 0 to 1 that differs between keys. */
const getShare = (hash: string): number => Number.parseInt(hash.slice(0, 4), 16) / 0xffff;

const createPrincipal = ({ key_id, owner, claims, version }: ResolvedKey): Principal => ({
  id: `key:${key_id}`,
  kind: 'key',
  wire: { virtual_key_id: key_id },
  owner: { issuer: owner.issuer, subject: owner.subject },
  claims: { ...claims },
  keyVersion: version,
});
