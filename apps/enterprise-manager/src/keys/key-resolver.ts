import { sameApiKeyHash } from '@gatehouse/auth/api-key';
import { Clock } from '@gatehouse/service-kit/clock';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config.ts';
import { isUsable } from './key.ts';
import { KeyCache, type Remembered } from './key-cache.ts';
import type { ResolvedKey } from './key-calls.dto.ts';
import { KeyFeed } from './key-feed.ts';
import { KeyLookups } from './key-lookups.ts';
import { type FoundKey, KeyReads, READ_MS } from './key-reads.ts';
import { KeyUses } from './key-uses.ts';
import { elapsedMs, type Moment, momentOf } from './moment.ts';

/** How long an answer may be used after it was asked for, in seconds. */
const CACHE_SECONDS = 1;

/** About 32 MiB: an answer counts for its fields, and each group for its id. */
const LIMITS = { entries: 50_000, weight: 32 * 1024 * 1024, unusable: 20_000 };
const ANSWER_BYTES = 600;
const GROUP_BYTES = 60;

type Answer = Omit<ResolvedKey, 'age_ms'>;

/** What the database said about a hash, and when it was asked. */
interface LookedUp {
  remembered: Remembered<Answer> | undefined;
  askedAt: Moment;
}

/**
 * Which key a secret opens, and for whom. What was found is remembered for as long as KeyFeed believes it; everything else is looked up. An answer is at most
 * 0.9 s old when it leaves, and usually as old as the last look for changes.
 */
@Injectable()
export class KeyResolver {
  private readonly cache = new KeyCache<Answer>(LIMITS);
  private readonly lookups = new KeyLookups<LookedUp>((hashes) => this.read(hashes));
  private readonly resolved;
  /** Keys live as long as their owners could sign in: those of an issuer that left the configuration open nothing. */
  private readonly issuers: ReadonlySet<string>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly reads: KeyReads,
    private readonly feed: KeyFeed,
    private readonly uses: KeyUses,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.resolved = metrics.counter<{ outcome: 'remembered' | 'looked_up' | 'unusable' }>(
      'gatehouse.keys.resolved',
      'Virtual API keys that gateways asked for',
      '{key}',
    );
    this.issuers = new Set(settings.ISSUERS.map(({ issuer }) => issuer));
    this.feed.serve(this.cache);
  }

  /**
   * The key that a secret opens.
   * @param hash SHA-256 of the secret, 64 lower-case hex digits
   * @throws Refusal not_found, the same for every secret that opens nothing; unavailable when that cannot be known now
   */
  async resolve(hash: string): Promise<ResolvedKey> {
    this.feed.want();
    const now = this.clock.now().getTime();
    const age = this.feed.ageMs;
    const remembered = age === undefined ? undefined : this.cache.get(hash, now);
    if (remembered === 'unusable') return this.opensNothing();
    if (age !== undefined && remembered !== undefined) return this.answer(remembered, age, now, 'remembered');
    const found = await this.lookups.ask(hash);
    const lookedUpAge = elapsedMs(found.askedAt, momentOf(this.clock));
    if (lookedUpAge >= READ_MS) throw new Refusal('unavailable', 'the database answered too late; try again');
    return found.remembered === undefined
      ? this.opensNothing()
      : this.answer(found.remembered.answer, lookedUpAge, now, 'looked_up');
  }

  private answer(answer: Answer, age: number, now: number, outcome: 'remembered' | 'looked_up'): ResolvedKey {
    this.uses.note(answer.key_id, now);
    this.resolved.add(1, { outcome });
    return { ...answer, age_ms: Math.ceil(age) };
  }

  private opensNothing(): never {
    this.resolved.add(1, { outcome: 'unusable' });
    throw new Refusal('not_found', 'no usable key has this secret');
  }

  private async read(hashes: readonly string[]): Promise<(hash: string) => LookedUp> {
    const askedAt = momentOf(this.clock);
    const asked = hashes.map((hash) => ({ hash, bytes: Buffer.from(hash, 'hex') }));
    const { revision, keys } = await this.reads.lookUp(asked.map(({ bytes }) => bytes));
    const now = this.clock.now();
    const byHash = new Map<string, FoundKey>();
    for (const key of keys) {
      byHash.set(key.secret_hash.toString('hex'), key);
      if (key.previous_hash) byHash.set(key.previous_hash.toString('hex'), key);
    }
    const mayRemember = this.feed.mayRemember(revision);
    const found = new Map<string, Remembered<Answer> | undefined>();
    for (const { hash, bytes } of asked) {
      const key = byHash.get(hash);
      const remembered = key && this.issuers.has(key.issuer) ? rememberedOf(key, bytes, now) : undefined;
      found.set(hash, remembered);
      if (!mayRemember) continue;
      if (remembered) this.cache.remember(hash, remembered);
      else this.cache.rememberUnusable(hash);
    }
    return (hash) => ({ remembered: found.get(hash), askedAt });
  }
}

/** What a secret opens now; undefined for nothing. The secret before a rotation ends with its grace. */
function rememberedOf(key: FoundKey, hash: Buffer, now: Date): Remembered<Answer> | undefined {
  if (!isUsable(key, now)) return undefined;
  const current = sameApiKeyHash(key.secret_hash, hash);
  const previous = key.previous_hash !== null && sameApiKeyHash(key.previous_hash, hash);
  if (!current && !previous) return undefined;
  const ends = [key.expires_at, current ? null : key.previous_valid_until];
  const usableUntil = Math.min(...ends.map((end) => (end === null ? Infinity : Date.parse(end))));
  if (usableUntil <= now.getTime()) return undefined;
  return {
    keyId: key.id,
    usableUntil,
    weight: ANSWER_BYTES + GROUP_BYTES * key.groups.length,
    answer: {
      key_id: key.id,
      owner: { issuer: key.issuer, subject: key.subject, user_id: key.user_id },
      groups: key.groups,
      status: 'active',
      ...(key.expires_at !== null && { expires_at: key.expires_at }),
      version: key.version,
      cache_seconds: CACHE_SECONDS,
    },
  };
}
