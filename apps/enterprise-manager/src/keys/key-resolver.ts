import { areHashesEqual } from '@gatehouse/auth/api-key';
import { Clock } from '@gatehouse/service-kit/clock';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { isUsable } from './key.ts';
import { KeyCache, type CacheEntry } from '@gatehouse/auth/key-cache';
import type { ResolvedKey } from './key-calls.dto.ts';
import { KeyChangeTracker } from './key-change-tracker.ts';
import { KeyLookupBatcher } from './key-lookup-batcher.ts';
import { type ResolvableKey, KeyLookupRepository, READ_TIMEOUT_MS } from './key-lookup.repository.ts';
import { KeyLastUseRecorder } from './key-last-use-recorder.ts';
import { computeElapsedMs, type ClockReading, readClocks } from './clock-reading.ts';

/** The time for which a gateway may use a response, from its request, in seconds. */
const CACHE_SECONDS = 1;

/**
 * About 32 MiB: BASE_ENTRY_BYTES for each entry, BYTES_PER_GROUP for each group, and its name and
 * the email at two bytes a character.
 */
const CACHE_LIMITS = { entries: 50_000, bytes: 32 * 1024 * 1024, unusable: 20_000 };
const BASE_ENTRY_BYTES = 600;
const BYTES_PER_GROUP = 90;
const BYTES_PER_CHARACTER = 2;

type CachedKey = Omit<ResolvedKey, 'age_ms'>;

/** The key of a hash, if it is usable, and the start of the query. */
interface LookupResult {
  entry: CacheEntry<CachedKey> | undefined;
  queriedAt: ClockReading;
}

/**
 * Resolves the hash of a secret to a key and its owner. Uses the cache while KeyChangeTracker says
 * that it is valid, and the database otherwise. A response is at most 0.9 s old.
 */
@Injectable()
export class KeyResolver {
  private readonly cache = new KeyCache<CachedKey>(CACHE_LIMITS);
  private readonly lookups = new KeyLookupBatcher<LookupResult>((hashes) => this.read(hashes));
  private readonly resolvedCounter;
  /** The configured issuers. Keys of other issuers are unusable: their owners cannot sign in. */
  private readonly issuers: ReadonlySet<string>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly repository: KeyLookupRepository,
    private readonly changeTracker: KeyChangeTracker,
    private readonly lastUses: KeyLastUseRecorder,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.resolvedCounter = metrics.counter<{ outcome: 'remembered' | 'looked_up' | 'unusable' }>(
      'gatehouse.keys.resolved',
      'Requests of gateways to resolve a virtual API key',
      '{key}',
    );
    this.issuers = new Set(settings.ISSUERS.map(({ issuer }) => issuer));
    this.changeTracker.attachCache(this.cache);
  }

  /**
   * Resolves the hash of a secret.
   * @param hash SHA-256 of the secret, 64 lower-case hex digits
   * @throws HttpError not_found, the same for every unusable secret; unavailable when the database
   *   does not answer in time
   */
  async resolve(hash: string): Promise<ResolvedKey> {
    this.changeTracker.requestPolling();
    const now = this.clock.now().getTime();
    const age = this.changeTracker.cacheAgeMs;
    const entry = age === undefined ? undefined : this.cache.get(hash, now);
    if (entry === 'unusable') return this.rejectUnusable();
    if (age !== undefined && entry !== undefined) return this.createResult(entry, age, now, 'remembered');
    const result = await this.lookups.lookUp(hash);
    const lookedUpAge = computeElapsedMs(result.queriedAt, readClocks(this.clock));
    if (lookedUpAge >= READ_TIMEOUT_MS) throw new HttpError('unavailable', 'the database answered too late; try again');
    return result.entry === undefined
      ? this.rejectUnusable()
      : this.createResult(result.entry.value, lookedUpAge, now, 'looked_up');
  }

  private createResult(
    response: CachedKey,
    age: number,
    now: number,
    outcome: 'remembered' | 'looked_up',
  ): ResolvedKey {
    this.lastUses.record(response.key_id, now);
    this.resolvedCounter.add(1, { outcome });
    return { ...response, age_ms: Math.ceil(age) };
  }

  private rejectUnusable(): never {
    this.resolvedCounter.add(1, { outcome: 'unusable' });
    throw new HttpError('not_found', 'no usable key has this secret');
  }

  private async read(hashes: readonly string[]): Promise<(hash: string) => LookupResult> {
    const queriedAt = readClocks(this.clock);
    const requested = hashes.map((hash) => ({ hash, bytes: Buffer.from(hash, 'hex') }));
    const { revision, keys } = await this.repository.lookUp(requested.map(({ bytes }) => bytes));
    const now = this.clock.now();
    const byHash = new Map<string, ResolvableKey>();
    for (const key of keys) {
      byHash.set(key.secret_hash.toString('hex'), key);
      if (key.previous_hash) byHash.set(key.previous_hash.toString('hex'), key);
    }
    const canCache = this.changeTracker.canCache(revision);
    const result = new Map<string, CacheEntry<CachedKey> | undefined>();
    for (const { hash, bytes } of requested) {
      const key = byHash.get(hash);
      const entry = key && this.issuers.has(key.issuer) ? toCacheEntry(key, bytes, now) : undefined;
      result.set(hash, entry);
      if (!canCache) continue;
      if (entry) this.cache.set(hash, entry);
      else this.cache.setUnusable(hash);
    }
    return (hash) => ({ entry: result.get(hash), queriedAt });
  }
}

/** Returns undefined for an unusable secret. A previous secret expires with its grace period. */
function toCacheEntry(key: ResolvableKey, hash: Buffer, now: Date): CacheEntry<CachedKey> | undefined {
  if (!isUsable(key, now)) return undefined;
  const current = areHashesEqual(key.secret_hash, hash);
  const previous = key.previous_hash !== null && areHashesEqual(key.previous_hash, hash);
  if (!current && !previous) return undefined;
  const ends = [key.expires_at, current ? null : key.previous_valid_until];
  const usableUntilMs = Math.min(...ends.map((end) => (end === null ? Infinity : Date.parse(end))));
  if (usableUntilMs <= now.getTime()) return undefined;
  return {
    keyId: key.id,
    usableUntilMs,
    bytes: countBytes(key),
    value: {
      key_id: key.id,
      owner: { issuer: key.issuer, subject: key.subject, user_id: key.user_id },
      groups: key.groups,
      claims: {
        iss: key.issuer,
        sub: key.subject,
        ...(key.email !== null && { email: key.email }),
        groups: key.group_names,
      },
      status: 'active',
      ...(usableUntilMs < Infinity && { expires_at: new Date(usableUntilMs).toISOString() }),
      version: key.version,
      cache_seconds: CACHE_SECONDS,
    },
  };
}

/** Estimates the memory of a cached key. */
function countBytes({ groups, group_names, email }: ResolvableKey): number {
  const characters = group_names.reduce((sum, name) => sum + name.length, email?.length ?? 0);
  return BASE_ENTRY_BYTES + BYTES_PER_GROUP * groups.length + BYTES_PER_CHARACTER * characters;
}
