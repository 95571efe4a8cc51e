import { describe, expect, it } from '@jest/globals';
import { generateApiKey, hashApiKey } from '@gatehouse/auth/api-key';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import type { Principal } from '../identity/principals.ts';
import type { ResolvedKey } from '../manager/received-documents.ts';
import { CachedKeyDirectory } from './cached-key-directory.ts';
import type { ChangeSince } from './key-feed.ts';

const ISSUER = 'https://id.example.test';
const START = Date.parse('2026-03-01T12:00:00Z');
const DOWN = new ManagerError(undefined, 'the enterprise manager did not answer');

/** A feed whose state a test sets. */
class Feed {
  isHealthy = true;
  hasLease = true;
  change: ChangeSince;
  readAt: number | undefined;

  findChange(_keyId: string, readAt: number): ChangeSince {
    this.readAt = readAt;
    return this.change;
  }
}

/** An enterprise manager with keys, and a clock that stands still. */
class World {
  time = 1_000;
  readonly feed = new Feed();
  readonly keys = new Map<string, ResolvedKey>();
  failure: Error | undefined;
  resolutions = 0;
  ageMs = 0;
  readonly directory = new CachedKeyDirectory({ resolveKey: (sha256) => this.resolveKey(sha256) }, this.feed, {
    now: () => this.time,
    wallNow: () => START + this.time,
  });

  /** Adds a key. @returns its text */
  addKey(more: Partial<ResolvedKey> = {}): { text: string; id: string; hash: string } {
    const { id, text } = generateApiKey(randomBytes);
    const hash = hashApiKey(text).toString('hex');
    this.keys.set(hash, {
      key_id: id,
      owner: { issuer: ISSUER, subject: 'alice', user_id: '8b1c0c0e-8e0c-4b64-9a2e-1f0c0c0e8e0c' },
      groups: [],
      claims: { iss: ISSUER, sub: 'alice', groups: ['Research'] },
      status: 'active',
      version: 3,
      cache_seconds: 1,
      age_ms: 0,
      ...more,
    });
    return { text, id, hash };
  }

  private async resolveKey(sha256: string): Promise<ResolvedKey | undefined> {
    this.resolutions += 1;
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    const key = this.keys.get(sha256);
    return key && { ...key, age_ms: this.ageMs };
  }

  /** The outcome of a resolution: the id of the principal, or why it failed. */
  async ask(text: string): Promise<string> {
    try {
      return (await this.directory.resolve(text)).id;
    } catch (error) {
      return (error as { failure: string }).failure;
    }
  }

  isRemembered(text: string): boolean {
    try {
      return !(this.directory.resolve(text) instanceof Promise);
    } catch {
      return true;
    }
  }
}

describe('CachedKeyDirectory', () => {
  it('resolves a key to its principal, and remembers it', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    const expected: Principal = {
      id: `key:${id}`,
      kind: 'key',
      wire: { virtual_key_id: id },
      owner: { issuer: ISSUER, subject: 'alice' },
      claims: { iss: ISSUER, sub: 'alice', groups: ['Research'] },
      keyVersion: 3,
    };
    expect(await world.directory.resolve(text)).toEqual(expected);
    world.time += 60_000;
    expect(world.directory.resolve(text)).toEqual(expected);
    expect(world.resolutions).toBe(1);
  });

  it('refuses texts without the form or the checksum of a key, without a request', async () => {
    const world = new World();
    const { text } = world.addKey();
    const wrong = [text.slice(0, -1), `${text}x`, text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'gh_', ''];
    for (const one of wrong) expect(await world.ask(one)).toBe('unauthenticated');
    expect(world.resolutions).toBe(0);
  });

  it('sends one request for concurrent resolutions of a key', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    expect(await Promise.all(Array.from({ length: 50 }, () => world.ask(text)))).toEqual(
      Array.from({ length: 50 }, () => `key:${id}`),
    );
    expect(world.resolutions).toBe(1);
  });

  it('resolves a key again after the feed has named it, and no other key', async () => {
    const world = new World();
    const [one, other] = [world.addKey(), world.addKey()];
    await Promise.all([world.ask(one.text), world.ask(other.text)]);
    world.keys.delete(one.hash);
    world.directory.handleChangedKeys([one.id]);
    expect(await world.ask(one.text)).toBe('unauthenticated');
    expect(await world.ask(other.text)).toBe(`key:${other.id}`);
    expect(world.resolutions).toBe(3);
  });

  it('uses an answer that can be older than a change only as long as cache_seconds permits', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    world.feed.change = 'key';
    world.ageMs = 400;
    expect(await world.ask(text)).toBe(`key:${id}`);
    expect(world.feed.readAt).toBe(world.time - 400);
    world.time += 599;
    expect(world.isRemembered(text)).toBe(true);
    world.time += 1;
    world.feed.change = undefined;
    expect(await world.ask(text)).toBe(`key:${id}`);
    expect(world.resolutions).toBe(2);
    world.time += 60_000;
    expect(world.isRemembered(text)).toBe(true);
  });

  it('follows cache_seconds while the feed is not healthy', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    await world.ask(text);
    world.feed.isHealthy = false;
    world.time += 999;
    expect(world.isRemembered(text)).toBe(true);
    world.time += 1;
    expect(await world.ask(text)).toBe(`key:${id}`);
    world.time += 1_000;
    world.keys.clear();
    expect(await world.ask(text)).toBe('unauthenticated');
    expect(world.resolutions).toBe(3);
  });

  it('uses a known key without an answer until the lease of the feed ends, then no key at all', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    await world.ask(text);
    world.failure = DOWN;
    world.feed.isHealthy = false;
    for (let second = 0; second < 30; second += 1) {
      world.time += 1_001;
      expect(await world.ask(text)).toBe(`key:${id}`);
      // No further attempt is made for a while.
      expect(world.isRemembered(text)).toBe(true);
    }
    expect(await world.ask(world.addKey().text)).toBe('unavailable');
    world.feed.hasLease = false;
    expect(await world.ask(text)).toBe('unavailable');
    world.failure = undefined;
    expect(await world.ask(text)).toBe(`key:${id}`);
  }, 30_000);

  it('uses no key without an answer if the feed has named it', async () => {
    const world = new World();
    const { text, id } = world.addKey();
    await world.ask(text);
    world.directory.handleChangedKeys([id]);
    world.failure = DOWN;
    expect(await world.ask(text)).toBe('unavailable');
    world.failure = undefined;
    world.feed.change = 'key';
    expect(await world.ask(text)).toBe(`key:${id}`);
    world.failure = DOWN;
    world.time += 1_000;
    expect(await world.ask(text)).toBe('unavailable');
  });

  it('is unavailable if the enterprise manager refuses the gateway', async () => {
    const world = new World();
    const { text } = world.addKey();
    await world.ask(text);
    world.feed.isHealthy = false;
    world.time += 1_000;
    world.failure = new ManagerError(403, 'this gateway is retired');
    expect(await world.ask(text)).toBe('unavailable');
  });

  it('refuses a key from its expiry on', async () => {
    const world = new World();
    const { text, id } = world.addKey({ expires_at: new Date(START + 2_000).toISOString() });
    expect(await world.ask(text)).toBe(`key:${id}`);
    world.time = 1_999;
    expect(await world.ask(text)).toBe(`key:${id}`);
    world.time = 2_000;
    expect(await world.ask(text)).toBe('unauthenticated');
    expect(world.resolutions).toBe(1);
  });

  it('resolves all keys again within a second after a change of groups, not all at once', async () => {
    const world = new World();
    const texts = Array.from({ length: 200 }, () => world.addKey().text);
    await Promise.all(texts.map((text) => world.ask(text)));
    const before = world.directory.resolve(texts[0] ?? '');
    world.directory.handleChangedGroups();
    world.directory.handleChangedGroups();
    const begun: number[] = [];
    for (let step = 0; step < 10; step += 1) {
      world.time += 100;
      await Promise.all(texts.map((text) => world.ask(text)));
      begun.push(world.resolutions);
    }
    expect(world.resolutions).toBe(400);
    expect(Math.max(...begun.map((count, at) => count - (begun[at - 1] ?? 200)))).toBeLessThan(100);
    // The same claims keep their object, for which grants of models are remembered.
    expect(world.directory.resolve(texts[0] ?? '')).toBe(before);
  });

  it('asks for unknown keys once a second, and for few of many invented keys', async () => {
    const world = new World();
    const { text } = generateApiKey(randomBytes);
    for (let times = 0; times < 5; times += 1) expect(await world.ask(text)).toBe('unauthenticated');
    expect(world.resolutions).toBe(1);
    const invented = Array.from({ length: 3_000 }, () => generateApiKey(randomBytes).text);
    const outcomes = await Promise.all(invented.map((one) => world.ask(one)));
    expect(new Set(outcomes)).toEqual(new Set(['unauthenticated', 'unavailable']));
    expect(world.resolutions).toBeLessThan(3_000);
  });

  it('never uses a revoked key for longer than a second after the change, in any order of events', async () => {
    type Event = 'ask' | 'advance' | 'unhealthy' | 'healthy' | 'groups';
    const events = fc.array(fc.constantFrom<Event>('ask', 'advance', 'unhealthy', 'healthy', 'groups'), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(events, events, fc.nat(900), async (before, after, ageMs) => {
        const world = new World();
        const { text, id, hash } = world.addKey();
        const run = async (event: Event) => {
          if (event === 'ask') await world.ask(text);
          else if (event === 'advance') world.time += 100;
          else if (event === 'groups') world.directory.handleChangedGroups();
          else world.feed.isHealthy = event === 'healthy';
        };
        for (const event of before) await run(event);
        // The key is revoked. A replica still answers with data that is at most as old as it says.
        const revokedAt = world.time;
        const stale = world.keys.get(hash);
        world.feed.change = 'key';
        world.ageMs = ageMs;
        // A healthy feed names the key at once; otherwise the next answer of the feed does.
        let isNamed = world.feed.isHealthy;
        if (isNamed) world.directory.handleChangedKeys([id]);
        for (const event of after) {
          await run(event);
          if (world.feed.isHealthy && !isNamed) {
            world.directory.handleChangedKeys([id]);
            isNamed = true;
          }
          if (world.time - ageMs > revokedAt) world.keys.delete(hash);
          else if (stale !== undefined) world.keys.set(hash, stale);
          if (world.time - revokedAt <= 1_000) continue;
          expect(await world.ask(text)).toBe('unauthenticated');
        }
      }),
      { numRuns: Math.ceil(200 * effort) },
    );
  });
});
