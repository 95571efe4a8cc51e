import { afterEach, describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchPeopleChanges, PeopleChanges } from './people-changes.ts';
import { PeopleFeed } from './people-feed.ts';

const ISSUER = 'https://id.example.test';
const createUser = (subject: string) => ({ issuer: ISSUER, subject, claims: {} });

/** A fake enterprise manager. */
class Manager {
  readonly changes: (PeopleChanges['people'][number] & { version: number })[] = [];
  readonly requests: [number, number][] = [];
  version = 7;
  down = false;
  private waiting: (() => void)[] = [];

  set(subject: string, active: boolean): void {
    this.version += 1;
    this.changes.push({ issuer: ISSUER, subject, active, version: this.version });
    this.wake();
  }

  private requireUp(): void {
    if (this.down) throw new Error('down');
  }

  wake(): void {
    for (const done of this.waiting.splice(0)) done();
  }

  readonly ask = async (after: number, waitSeconds: number, signal: AbortSignal): Promise<PeopleChanges> => {
    this.requests.push([after, waitSeconds]);
    await sleep(0);
    this.requireUp();
    const isNews = () => after > this.version || this.changes.some(({ version }) => version > after);
    if (!isNews() && waitSeconds > 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    this.requireUp();
    if (after > this.version) return { version: this.version, people: [], bindings: [], reset: true };
    const [next] = this.changes.filter(({ version }) => version > after);
    if (next === undefined) return { version: this.version, people: [], bindings: [], reset: false };
    const { version, ...person } = next;
    return { version, people: [person], bindings: [], reset: false };
  };
}

describe('PeopleFeed', () => {
  const feeds: PeopleFeed[] = [];
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.onApplicationShutdown();
  });

  function setUp<M extends { ask: FetchPeopleChanges } = Manager>(manager: M = new Manager() as unknown as M) {
    const time = { now: new Date('2026-03-01T12:00:00Z').getTime() };
    const log = { info: () => undefined, warn: () => undefined };
    const feed = new PeopleFeed(manager.ask, { now: () => new Date(time.now) }, log);
    feeds.push(feed);
    return { manager, time, feed };
  }
  const eventually = async (is: () => boolean) => {
    for (let tries = 0; tries < 400 && !is(); tries += 1) await sleep(5);
    expect(is()).toBe(true);
  };

  it('returns unknown before the enterprise manager has sent all users', async () => {
    const { manager, feed } = setUp();
    for (const name of ['alice', 'bob', 'carol']) manager.set(name, false);
    manager.set('bob', true);
    expect(feed.getActivity(createUser('dave'))).toBe('unknown');
    await expect(feed.requireKnown()).rejects.toThrow('has not sent the inactive users');
    feed.onApplicationBootstrap();
    await eventually(() => feed.getActivity(createUser('dave')) !== 'unknown');
    expect(['alice', 'bob', 'carol', 'dave'].map((name) => feed.getActivity(createUser(name)))).toEqual([
      'inactive',
      'active',
      'inactive',
      'active',
    ]);
    expect(feed.getActivity({ ...createUser('alice'), issuer: 'https://other.example.test' })).toBe('active');
    await feed.requireKnown();
  });

  it('applies each change when it arrives', async () => {
    const { manager, feed } = setUp();
    feed.onApplicationBootstrap();
    await eventually(() => feed.getActivity(createUser('alice')) === 'active');
    manager.set('alice', false);
    await eventually(() => feed.getActivity(createUser('alice')) === 'inactive');
    manager.set('alice', true);
    await eventually(() => feed.getActivity(createUser('alice')) === 'active');
    expect(manager.requests.at(-1)).toEqual([manager.version, 30]);
  });

  it('is complete only after an answer without people and bindings', async () => {
    const bindings = ['ann@x.example', 'ben@x.example'].map((binding_key) => ({
      issuer: ISSUER,
      claim: 'email',
      binding_key,
      active: false,
    }));
    const { feed } = setUp({
      ask: async (after: number, waitSeconds: number) => {
        await sleep(waitSeconds > 0 ? 50 : 0);
        return {
          version: Math.min(after + 1, 2),
          people: [],
          bindings: bindings.slice(after, after + 1),
          reset: false,
        };
      },
    });
    const withEmail = (email: string) => ({ ...createUser(email), claims: { email } });
    feed.onApplicationBootstrap();
    await eventually(() => feed.getActivity(createUser('alice')) !== 'unknown');
    expect(['ann', 'ben', 'cy'].map((name) => feed.getActivity(withEmail(`${name}@x.example`)))).toEqual([
      'inactive',
      'inactive',
      'active',
    ]);
  });

  it('returns unknown from 60 s after the last answer until the next one', async () => {
    const { manager, feed, time } = setUp();
    feed.onApplicationBootstrap();
    await eventually(() => feed.getActivity(createUser('alice')) === 'active');
    manager.down = true;
    manager.wake();
    time.now += 60_000;
    expect(feed.getActivity(createUser('alice'))).toBe('active');
    time.now += 1;
    expect(feed.getActivity(createUser('alice'))).toBe('unknown');
    manager.down = false;
    manager.set('alice', false);
    await eventually(() => feed.getActivity(createUser('alice')) === 'inactive');
  });

  it('does not wait for a change in the first request after a failure', async () => {
    const { manager, feed } = setUp();
    feed.onApplicationBootstrap();
    await eventually(() => manager.requests.at(-1)?.[1] === 30);
    manager.down = true;
    manager.wake();
    await eventually(() => manager.requests.at(-1)?.[1] === 0);
    manager.down = false;
    await eventually(() => manager.requests.at(-1)?.[1] === 30);
  });

  it('reads from the beginning after the enterprise manager got another database', async () => {
    const { manager, feed } = setUp();
    manager.set('alice', false);
    feed.onApplicationBootstrap();
    await eventually(() => feed.getActivity(createUser('alice')) === 'inactive');
    manager.changes.splice(0);
    manager.version = 1;
    manager.set('bob', false);
    await eventually(() => feed.getActivity(createUser('bob')) === 'inactive');
    expect(feed.getActivity(createUser('alice'))).toBe('active');
  });

  it('removes the listeners of failed attempts', async () => {
    const attempts: AbortSignal[] = [];
    const { feed } = setUp({
      ask: (_after: number, _waitSeconds: number, signal: AbortSignal) => {
        attempts.push(signal);
        return Promise.reject(new Error('down'));
      },
    });
    feed.onApplicationBootstrap();
    await eventually(() => attempts.length > 3);
    // The current pause has one.
    expect(getEventListeners(attempts[0]!, 'abort').length).toBeLessThanOrEqual(1);
  });
});
