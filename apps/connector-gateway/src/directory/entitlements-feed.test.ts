import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import type { TaggedDocument } from '@gatehouse/service-kit/manager-connection';
import { type TokenUser, UnknownUserError } from '../entitlements/entitlements-source.ts';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { EntitlementsFeed } from './entitlements-feed.ts';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import type { ReceivedEntitlementChanges } from './received-documents.ts';

const ISSUER = 'https://issuer.test';
const alice = { issuer: ISSUER, subject: 'alice' };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

type Change = { issuer: string; subject?: string };

/** A directory whose users change, and which can fail. */
class FakeManager {
  version = 10;
  down = false;
  /** The first version that its log contains. */
  pruned = 0;
  readonly changes: (Change & { version: number })[] = [];
  readonly groups = new Map<string, string>();
  polls: (number | undefined)[] = [];
  lookups = 0;
  running = 0;
  maxRunning = 0;
  private waiting: (() => void)[] = [];

  change(change: Change, group?: string): void {
    this.version += 1;
    if (group !== undefined && change.subject !== undefined) this.groups.set(change.subject, group);
    this.changes.push({ ...change, version: this.version });
    this.wake();
  }

  wake(): void {
    for (const done of this.waiting.splice(0)) done();
  }

  /** Breaks open requests and refuses new ones. */
  stop(): void {
    this.down = true;
    this.wake();
  }

  async fetchEntitlementChanges(
    after: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ReceivedEntitlementChanges> {
    this.polls.push(after);
    this.requireUp();
    const isNews = () => after === undefined || after !== this.version;
    if (!isNews() && waitSeconds > 0)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    this.requireUp();
    const { version } = this;
    if (after === undefined) return { version, users: [], all: false, reset: false };
    const all = after > version || after < this.pruned;
    const users = all ? [] : this.changes.filter((change) => change.version > after);
    return { version, users: users.map((user) => ({ ...user, user_id: '' })), all, reset: after > version };
  }

  async fetchEntitlements(user: TokenUser): Promise<TaggedDocument<Entitlements>> {
    this.lookups += 1;
    this.running += 1;
    this.maxRunning = Math.max(this.maxRunning, this.running);
    await sleep(1);
    this.running -= 1;
    this.requireUp();
    const group = this.groups.get(user.subject);
    if (group === undefined) throw new UnknownUserError('unknown');
    const lists = { groups: [group], connections: [], cleared_connections: [] };
    return { body: { ...user, ...lists, user_id: user.subject, active: true, version: group }, etag: group };
  }

  private requireUp(): void {
    if (this.down) throw new ManagerError(undefined, 'down');
  }
}

describe('EntitlementsFeed', () => {
  const feeds: EntitlementsFeed[] = [];
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.stop();
  });

  const eventually = async (is: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 1_000 && !(await is()); tries += 1) await sleep(5);
    expect(await is()).toBe(true);
  };
  function setUp(leaseSeconds = 60) {
    const manager = new FakeManager();
    const time = { now: 1_000_000 };
    const lease = new FeedLease(leaseSeconds, () => time.now);
    const feed = new EntitlementsFeed(manager, lease, silent);
    feeds.push(feed);
    const findGroup = async (user: TokenUser = alice) => (await feed.get(user))?.groups[0];
    manager.groups.set('alice', 'a');
    return { manager, time, lease, feed, findGroup };
  }
  async function start(leaseSeconds?: number) {
    const world = setUp(leaseSeconds);
    world.feed.start();
    await eventually(() => world.lease.isValid);
    return world;
  }

  it('has a valid lease after the first answer', async () => {
    const { lease, feed, manager } = setUp();
    manager.down = true;
    feed.start();
    await eventually(() => manager.polls.length > 1);
    expect(lease.isValid).toBe(false);
    manager.down = false;
    await eventually(() => lease.isValid);
  });

  it('looks up a user once, until a change names the user', async () => {
    const { manager, feed, findGroup } = await start();
    expect(await findGroup()).toBe('a');
    expect(feed.get(alice)).not.toBeInstanceOf(Promise);
    expect(manager.lookups).toBe(1);
    manager.change(alice, 'b');
    await eventually(async () => (await findGroup()) === 'b');
    expect(manager.lookups).toBe(2);
  });

  it('ends the lease without an answer, and looks up all users again after it', async () => {
    const { manager, time, lease, findGroup } = await start();
    await findGroup();
    manager.stop();
    time.now += 60_000;
    expect(lease.isValid).toBe(true);
    time.now += 1;
    expect(lease.isValid).toBe(false);
    // The manager was restored from a backup in the meantime, and its versions have caught up.
    manager.groups.set('alice', 'restored');
    manager.down = false;
    await eventually(() => lease.isValid);
    expect(await findGroup()).toBe('restored');
  });

  it('misses no change while the manager restarts or breaks a poll', async () => {
    const { manager, lease, findGroup } = await start();
    await findGroup();
    manager.stop();
    manager.change(alice, 'b');
    manager.down = false;
    await eventually(async () => (await findGroup()) === 'b');
    expect(lease.isValid).toBe(true);
  });

  it.each([
    ['from the future', (manager: FakeManager) => (manager.version = 3)],
    ['whose changes are not stored any more', (manager: FakeManager) => (manager.pruned = manager.version += 5)],
  ])('looks up all users again for a version %s', async (_, change) => {
    const { manager, findGroup } = await start();
    await findGroup();
    manager.groups.set('alice', 'b');
    change(manager);
    manager.wake();
    await eventually(async () => (await findGroup()) === 'b');
    await eventually(() => manager.polls.at(-1) === manager.version);
  });

  it('calls the listeners of a changed user with the new entitlements, also after failed lookups', async () => {
    const { manager, feed } = await start();
    const seen: (string | undefined)[] = [];
    const other: unknown[] = [];
    const stop = feed.watch(alice, (entitlements) => seen.push(entitlements?.groups[0]));
    feed.watch({ ...alice, issuer: 'https://other.test' }, (entitlements) => other.push(entitlements));
    manager.change(alice, 'b');
    await eventually(() => seen.length === 1);
    manager.change({ issuer: ISSUER, subject: 'bob' }, 'b');
    manager.stop();
    feed.markChanged(alice);
    manager.change(alice, 'c');
    await sleep(20);
    manager.down = false;
    await eventually(() => seen.at(-1) === 'c');
    stop();
    manager.change(alice, 'd');
    await eventually(() => manager.polls.at(-1) === manager.version);
    expect(seen.at(-1)).toBe('c');
    expect(other).toEqual([]);
  });

  it('tells an unknown user of the entry that may become theirs', async () => {
    const { manager, feed, findGroup } = await start();
    const carol = { issuer: ISSUER, subject: 'carol', binding: 'carol@x.test' };
    const seen: unknown[] = [];
    feed.watch(carol, (entitlements) => seen.push(entitlements?.groups[0]));
    expect(await findGroup(carol)).toBeUndefined();
    manager.groups.set('carol', 'new');
    manager.change({ issuer: ISSUER });
    await eventually(() => seen.length > 0);
    expect(seen).toEqual(['new']);
  });

  it('makes an own write visible to the next lookup', async () => {
    const { manager, feed, findGroup } = await start();
    await findGroup();
    manager.groups.set('alice', 'b');
    feed.markChanged(alice);
    expect(await findGroup()).toBe('b');
  });

  it('looks up only watched users after a change of all 20,000 known users, few at the same time', async () => {
    const { manager, feed } = await start();
    const users = Array.from({ length: 20_000 }, (_, at) => ({ issuer: ISSUER, subject: `user-${at}` }));
    for (const { subject } of users) manager.groups.set(subject, 'a');
    await Promise.all(users.map(async (user) => feed.get(user)));
    const seen = new Set<string | undefined>();
    for (const user of users.slice(0, 500)) feed.watch(user, (entitlements) => seen.add(entitlements?.subject));
    manager.lookups = manager.maxRunning = 0;
    manager.pruned = manager.version += 5;
    manager.wake();
    await eventually(() => seen.size === 500);
    expect([manager.lookups, manager.maxRunning]).toEqual([500, 32]);
    await Promise.all(users.map(async (user) => feed.get(user)));
    expect(manager.lookups).toBe(20_000);
  });
});
