import { describe, expect, it } from '@jest/globals';
import { type FetchedItems, Lists } from './lists.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

const LIMITS = { listTtlMs: 5_000, heavyListTtlMs: 60_000 };

/** Lists whose fetches end when the test decides. */
function openLists() {
  let time = 0;
  const fetches: { end: (items: unknown[], isHeavy?: boolean) => void; fail: (error: Error) => void }[] = [];
  const lists = new Lists(
    () =>
      new Promise<FetchedItems>((resolve, reject) => {
        fetches.push({ end: (items, isHeavy = false) => resolve({ items, isHeavy }), fail: reject });
      }),
    LIMITS,
    () => time,
    () => new UpstreamUnavailableError('did not answer in time'),
  );
  return { lists, fetches, advance: (ms: number) => (time += ms), get: () => lists.get('tools', 1_000) };
}

const down = new UpstreamUnavailableError('did not answer');

describe('Lists', () => {
  it('share one fetch and keep its list while it is current', async () => {
    const { fetches, get } = openLists();
    const both = [get(), get()];
    fetches[0]?.end(['a']);
    const [one, other] = await Promise.all(both);
    expect([one, other, await get()]).toEqual([['a'], ['a'], ['a']]);
    expect(fetches).toHaveLength(1);
  });

  it('serve the last list while a new one is fetched', async () => {
    const { fetches, get, advance } = openLists();
    const first = get();
    fetches[0]?.end(['a']);
    await first;
    advance(LIMITS.listTtlMs);
    expect(await get()).toEqual(['a']);
    fetches[1]?.end(['b']);
    await Promise.resolve();
    await Promise.resolve();
    expect(await get()).toEqual(['b']);
  });

  it('serve the last list for ten minutes while fetches fail, and say so', async () => {
    const { lists, fetches, get, advance } = openLists();
    const first = get();
    fetches[0]?.end(['a']);
    await first;
    advance(599_999);
    expect(await get()).toEqual(['a']);
    fetches[1]?.fail(down);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lists.getFailure('tools')).toBe(down);
    expect(await get()).toEqual(['a']);
    fetches[2]?.fail(down);
    await new Promise((resolve) => setImmediate(resolve));
    advance(1);
    const late = get();
    fetches[3]?.fail(down);
    await expect(late).rejects.toBe(down);
  });

  it('serve no list that was announced as changed, also when its fetch had begun before', async () => {
    const { lists, fetches, get } = openLists();
    const before = get();
    lists.forget('tools');
    const after = get();
    fetches[0]?.end(['old']);
    fetches[1]?.end(['new']);
    expect([await before, await after, await get()]).toEqual([['old'], ['new'], ['new']]);
  });

  it('keep the same object for an equal list', async () => {
    const { fetches, get, advance } = openLists();
    const first = get();
    fetches[0]?.end([{ name: 'a' }]);
    const list = await first;
    advance(LIMITS.listTtlMs);
    await get();
    fetches[1]?.end([{ name: 'a' }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await get()).toBe(list);
  });

  it('do not fetch a list beyond the limits again for a while', async () => {
    const { fetches, get, advance } = openLists();
    const excess = new UpstreamUnavailableError('answered with too much', { isLimit: true });
    const first = get();
    fetches[0]?.fail(excess);
    await expect(first).rejects.toBe(excess);
    advance(LIMITS.heavyListTtlMs - 1);
    await expect(get()).rejects.toBe(excess);
    expect(fetches).toHaveLength(1);
    advance(1);
    const again = get();
    fetches[1]?.end(['a']);
    expect(await again).toEqual(['a']);
  });
});
