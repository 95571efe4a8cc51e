import { afterEach, describe, expect, it } from '@jest/globals';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { eventually } from '@gatehouse/testing/eventually';
import type { KeyChanges } from '../manager/received-documents.ts';
import { KeyFeed } from './key-feed.ts';

const log = { info: () => undefined, warn: () => undefined };

/** A feed of an enterprise manager whose answers a test sends one by one. */
class Scene {
  time = 1_000;
  readonly heard: unknown[] = [];
  readonly polls: (number | undefined)[] = [];
  private waiting: PromiseWithResolvers<KeyChanges> | undefined;
  readonly feed = new KeyFeed(
    {
      fetchKeyChanges: (after, _waitSeconds, signal) => {
        this.polls.push(after);
        const waiting = Promise.withResolvers<KeyChanges>();
        this.waiting = waiting;
        signal.addEventListener('abort', () => waiting.reject(new Error('aborted')), { once: true });
        return waiting.promise;
      },
    },
    new FeedLease(60, () => this.time),
    log,
    () => this.time,
  );

  start(): void {
    this.feed.start({
      handleChangedKeys: (ids) => this.heard.push(ids),
      handleChangedGroups: () => this.heard.push('groups'),
      handleReset: () => this.heard.push('reset'),
    });
  }

  /** Answers the current poll, and waits for the next one. */
  async answer(changes: Partial<KeyChanges> | Error): Promise<void> {
    await eventually(() => this.waiting !== undefined, 'the feed polls');
    const { waiting } = this;
    this.waiting = undefined;
    const count = this.polls.length;
    if (changes instanceof Error) waiting?.reject(changes);
    else waiting?.resolve({ version: 1, keys: [], groups_changed: false, reset: false, ...changes });
    await eventually(() => this.polls.length > count, 'the feed polls again');
  }
}

describe('KeyFeed', () => {
  const scenes: Scene[] = [];
  afterEach(async () => {
    for (const { feed } of scenes.splice(0)) await feed.stop();
  });
  const open = async (): Promise<Scene> => {
    const scene = new Scene();
    scenes.push(scene);
    scene.start();
    await scene.answer({ version: 7 });
    return scene;
  };

  it('reports changes, and continues after each version', async () => {
    const scene = await open();
    await scene.answer({ version: 8, keys: [{ key_id: 'a', version: 8 }] });
    await scene.answer({ version: 9, groups_changed: true });
    await scene.answer({ version: 2, reset: true, groups_changed: true });
    expect(scene.heard).toEqual(['reset', ['a'], 'groups', 'reset']);
    expect(scene.polls).toEqual([undefined, 7, 8, 9, 2]);
  });

  it('finds changes of a key and of groups since a time', async () => {
    const scene = await open();
    expect(scene.feed.findChange('a', 999)).toBe('key');
    expect(scene.feed.findChange('a', 1_000)).toBeUndefined();
    scene.time = 2_000;
    await scene.answer({ keys: [{ key_id: 'a', version: 8 }] });
    scene.time = 3_000;
    await scene.answer({ groups_changed: true });
    expect([1_999, 2_000, 2_001, 3_000, 3_001].map((at) => scene.feed.findChange('a', at))).toEqual([
      'key',
      'key',
      'groups',
      'groups',
      undefined,
    ]);
    expect(scene.feed.findChange('b', 2_000)).toBe('groups');
    // A resolution cannot take so long: its answer is not trusted.
    scene.time = 20_000;
    expect(scene.feed.findChange('b', 9_999)).toBe('key');
  });

  it('is healthy until half a second after the first failure, and again after an answer', async () => {
    const scene = await open();
    await scene.answer(new Error('down'));
    scene.time += 499;
    expect(scene.feed.isHealthy).toBe(true);
    scene.time += 1;
    expect(scene.feed.isHealthy).toBe(false);
    await scene.answer(new Error('down'));
    await scene.answer({ version: 8 });
    expect(scene.feed.isHealthy).toBe(true);
    expect(scene.polls.slice(1, 4)).toEqual([7, 7, 7]);
  });

  it('has a lease of 60 s after each answer', async () => {
    const scene = new Scene();
    scenes.push(scene);
    expect(scene.feed.hasLease).toBe(false);
    scene.start();
    await scene.answer({ version: 7 });
    scene.time += 60_000;
    expect([scene.feed.hasLease, scene.feed.isHealthy]).toEqual([true, true]);
    scene.time += 1;
    expect([scene.feed.hasLease, scene.feed.isHealthy]).toEqual([false, false]);
  });
});
