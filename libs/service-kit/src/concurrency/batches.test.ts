import { describe, expect, it } from '@jest/globals';
import { Batches, batchWithFallback } from './batches.ts';

/** Batches that end when the test ends them. */
function scene(limits = { size: 3, running: 1, waiting: 100, patienceMs: 1e6 }) {
  const begun: (readonly number[])[] = [];
  const ends: ((how: 'well' | Error) => void)[] = [];
  const batches = new Batches<number, string>((items) => {
    begun.push(items);
    return new Promise((resolve, reject) =>
      ends.push((how) =>
        how === 'well'
          ? resolve(
              items.map((item) =>
                item < 0
                  ? { status: 'rejected', reason: new Error(`${item} is bad`) }
                  : { status: 'fulfilled', value: `did ${item}` },
              ),
            )
          : reject(how),
      ),
    );
  }, limits);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (how: 'well' | Error = 'well') => {
    ends.shift()?.(how);
    await turn();
    await turn();
  };
  return { batches, begun, turn, end };
}

describe('Batches', () => {
  it('runs the items of one turn together and gathers others meanwhile', async () => {
    const { batches, begun, turn, end } = scene();
    const first = [1, 2].map((item) => batches.add(item));
    await turn();
    const rest = [3, 4, 5, 6].map((item) => batches.add(item));
    await turn();
    expect(begun).toEqual([[1, 2]]);
    await end();
    expect(await Promise.all(first)).toEqual(['did 1', 'did 2']);
    expect(begun).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    await end();
    await end();
    expect(await Promise.all(rest)).toEqual(['did 3', 'did 4', 'did 5', 'did 6']);
    expect(begun).toHaveLength(3);
  });

  it('rejects single items, or all items of a failed batch, and continues', async () => {
    const { batches, turn, end } = scene();
    const [good, bad] = [batches.add(1), batches.add(-1)];
    const single = Promise.allSettled([good, bad]);
    await turn();
    await end();
    expect(await single).toMatchObject([{ value: 'did 1' }, { reason: { message: '-1 is bad' } }]);
    const all = Promise.allSettled([batches.add(2), batches.add(3)]);
    await turn();
    await end(new Error('the database is away'));
    expect(await all).toMatchObject([2, 3].map(() => ({ reason: { message: 'the database is away' } })));
    const after = batches.add(4);
    await turn();
    await end();
    expect(await after).toBe('did 4');
  });

  it('continues when a caller no longer waits', async () => {
    const { batches, turn, end } = scene();
    const gone = batches.add(1);
    void Promise.race([gone, Promise.resolve('hung up')]);
    const stays = batches.add(2);
    await turn();
    await end();
    expect(await stays).toBe('did 2');
  });

  it('runs a second batch at the same time only when it is full', async () => {
    const { batches, begun, turn, end } = scene({ size: 3, running: 2, waiting: 100, patienceMs: 1e6 });
    const all = [1, 2, 3, 4, 5].map((item) => batches.add(item));
    await turn();
    expect(begun).toEqual([[1, 2, 3]]);
    all.push(...[6, 7].map((item) => batches.add(item)));
    await turn();
    expect(begun.slice(1)).toEqual([[4, 5, 6]]);
    for (let n = 0; n < 3; n += 1) await end();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6, 7].map((item) => `did ${item}`));
  });

  it('runs a second batch at the same time as a slow one', async () => {
    const { batches, begun, turn, end } = scene({ size: 3, running: 2, waiting: 100, patienceMs: 1 });
    const [held] = [batches.add(1)];
    await turn();
    const next = batches.add(2);
    while (begun.length < 2) await turn();
    expect(begun).toEqual([[1], [2]]);
    await end();
    await end();
    expect(await Promise.all([held, next])).toEqual(['did 1', 'did 2']);
  });

  it('refuses items at once when too many wait', async () => {
    const { batches, turn, end } = scene({ size: 1, running: 1, waiting: 2, patienceMs: 1e6 });
    const first = batches.add(1);
    await turn();
    const waiting = [batches.add(2), batches.add(3)];
    await expect(batches.add(4)).rejects.toMatchObject({ kind: 'unavailable', retryAfterMs: 1_000 });
    for (let n = 0; n < 3; n += 1) await end();
    expect(await Promise.all([first, ...waiting])).toEqual(['did 1', 'did 2', 'did 3']);
  });
});

describe('batchWithFallback', () => {
  const runs: (readonly number[])[] = [];
  const run = (items: readonly number[]): Promise<string[]> => {
    runs.push(items);
    return items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items.map(String));
  };

  it('runs each item on its own after a failure of the batch', async () => {
    runs.length = 0;
    const outcomes = await batchWithFallback([1, 2, 3], run, () => false);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: '1' },
      { status: 'rejected', reason: new Error('two') },
      { status: 'fulfilled', value: '3' },
    ]);
  });

  it('rejects all items without another attempt when no item caused the failure', async () => {
    runs.length = 0;
    const outcomes = await batchWithFallback([1, 2], run, () => true);
    expect([runs.length, outcomes.map(({ status }) => status)]).toEqual([1, ['rejected', 'rejected']]);
  });
});
