import { describe, expect, it } from '@jest/globals';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import { DirectoryError, type TaggedDocument } from './directory-client.ts';
import type { Copy } from './directory-copies.ts';
import { type CopyStore, EntitlementsCache } from './entitlements-cache.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';

/** The id of the user in each version of its entitlements. */
const createUserId = (version: number) => `00000000-0000-4000-8000-00000000000${version}`;
const alice = { issuer: 'https://issuer.test', subject: 'alice' };

class MemoryCopies implements CopyStore {
  readonly held = new Map<string, Copy<unknown>>();
  find = (key: string) => Promise.resolve(this.held.get(key));
  save(key: string, copy: Copy<unknown>): Promise<void> {
    this.held.set(key, copy);
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    this.held.delete(key);
    return Promise.resolve();
  }
}

/** A directory with one user, which can fail. */
class FakeDirectory {
  version = 1;
  down = false;
  known = true;
  refusing: string | undefined;
  requests = 0;

  fetchEntitlements(
    { subject }: { subject: string },
    etag: string | undefined,
  ): Promise<TaggedDocument<Entitlements> | undefined> {
    this.requests += 1;
    if (subject === this.refusing) return Promise.reject(new DirectoryError(400, 'subject: must be one line of text'));
    if (this.down) return Promise.reject(new DirectoryError(undefined, 'down'));
    if (!this.known) return Promise.reject(new DirectoryError(404, 'unknown'));
    if (etag === `"${this.version}"`) return Promise.resolve(undefined);
    const { version } = this;
    const body = {
      ...alice,
      user_id: createUserId(version),
      active: true,
      groups: [],
      connections: [],
      cleared_connections: [],
      version: `${version}`,
    };
    return Promise.resolve({ body, etag: `"${this.version}"` });
  }
}

function setUp(copies = new MemoryCopies(), maxAgeMs = 0) {
  const directory = new FakeDirectory();
  const time = { now: 1_000_000 };
  const cache = new EntitlementsCache(directory, copies, { maxAgeMs, graceMs: 60_000, now: () => new Date(time.now) });
  return { directory, time, cache, copies };
}

describe('EntitlementsCache', () => {
  it('requests entitlements every time and returns the same object without a change', async () => {
    const { directory, cache } = setUp();
    const first = await cache.get(alice);
    expect(await cache.get(alice)).toBe(first);
    directory.version = 2;
    expect((await cache.get(alice))?.user_id).toBe(createUserId(2));
    expect(directory.requests).toBe(3);
  });

  it('reuses a response only for the configured age', async () => {
    const { directory, cache, time } = setUp(new MemoryCopies(), 500);
    await cache.get(alice);
    time.now += 499;
    await cache.get(alice);
    expect(directory.requests).toBe(1);
    time.now += 1;
    await cache.get(alice);
    expect(directory.requests).toBe(2);
  });

  it('serves known users for exactly the grace period', async () => {
    const { directory, cache, time } = setUp();
    await cache.get(alice);
    directory.down = true;
    time.now += 60_000;
    expect((await cache.get(alice))?.user_id).toBe(createUserId(1));
    time.now += 2_000;
    await expect(cache.get(alice)).rejects.toThrow(DirectoryUnavailableError);
  });

  it('never serves unknown and removed users during an outage', async () => {
    const { directory, cache } = setUp();
    directory.known = false;
    expect(await cache.get(alice)).toBeUndefined();
    directory.down = true;
    expect(await cache.get(alice)).toBeUndefined();
    await expect(cache.get({ ...alice, subject: 'bob' })).rejects.toThrow(DirectoryUnavailableError);
  });

  it('pauses requests after a failure', async () => {
    const { directory, cache, time } = setUp();
    await cache.get(alice);
    directory.down = true;
    for (let i = 0; i < 10; i += 1) await cache.get(alice);
    expect(directory.requests).toBe(2);
    directory.down = false;
    directory.version = 2;
    time.now += 1_000;
    expect((await cache.get(alice))?.user_id).toBe(createUserId(2));
  });

  it('requests other users after the refusal of one request', async () => {
    const { directory, cache } = setUp();
    await cache.get(alice);
    directory.refusing = 'x\u0000';
    await expect(cache.get({ ...alice, subject: 'x\u0000' })).rejects.toThrow(DirectoryUnavailableError);
    directory.version = 2;
    expect((await cache.get(alice))?.user_id).toBe(createUserId(2));
  });

  it('serves stored copies after a restart for the grace period', async () => {
    const { cache, copies } = setUp();
    await cache.get(alice);
    const later = setUp(copies);
    later.directory.down = true;
    expect((await later.cache.get(alice))?.user_id).toBe(createUserId(1));
    const tooLate = setUp(copies);
    tooLate.directory.down = true;
    tooLate.time.now += 60_001;
    await expect(tooLate.cache.get(alice)).rejects.toThrow(DirectoryUnavailableError);
  });
});
