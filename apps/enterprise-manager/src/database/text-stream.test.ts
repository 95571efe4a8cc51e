import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWholeList } from './ndjson.ts';
import { readBatches, createTextStream } from './text-stream.ts';

/** Endless batches that count their reads and calls of `close`. */
function createEndlessRows() {
  const seen = { reads: 0, closed: 0 };
  const rows = {
    readNext: () => {
      seen.reads += 1;
      return Promise.resolve(Array.from({ length: 1_000 }, (_, at) => `${seen.reads}-${at}`));
    },
    close: () => {
      seen.closed += 1;
      return Promise.resolve();
    },
  };
  return { seen, rows };
}

describe('createTextStream', () => {
  it('reads no more batches than its reader takes', async () => {
    const { seen, rows } = createEndlessRows();
    const stream = await createTextStream('', readBatches(rows), (row) => `${row.padEnd(200)}\n`);
    stream.read(1);
    await sleep(50);
    expect(seen.reads).toBeLessThanOrEqual(3);
    stream.destroy();
    await once(stream, 'close');
  });

  it.each([0, 1, 5])('ends the batches when its reader stops after %i parts', async (parts) => {
    const { seen, rows } = createEndlessRows();
    let ended = 0;
    const stream = await createTextStream(
      'head\n',
      readBatches(rows),
      (row) => `${row}\n`,
      () => (ended += 1),
    );
    const reader = stream[Symbol.asyncIterator]();
    for (let part = 0; part < parts; part += 1) await reader.next();
    stream.destroy();
    await sleep(20);
    expect([seen.closed, ended]).toEqual([1, 1]);
  });

  it('rejects when the first rows cannot be read, and aborts the stream when later rows cannot be read', async () => {
    async function* readThenFail(after: number) {
      for (let batch = 0; batch < after; batch += 1) yield await Promise.resolve([batch]);
      throw new Error('the database is away');
    }
    await expect(createTextStream('', readThenFail(0), String)).rejects.toThrow('away');
    const stream = await createTextStream('', readThenFail(2), String);
    await expect(stream.toArray()).rejects.toThrow('away');
  });

  it('contains each row of a list once, read by its key', async () => {
    const numbers = Array.from({ length: 3_500 }, (_, at) => 3_500 - at);
    const list = {
      getSortKey: (row: number) => [row],
      read: ({ from, limit }: { from?: readonly unknown[]; limit: number }) =>
        Promise.resolve(numbers.filter((number) => from === undefined || number < Number(from[0])).slice(0, limit)),
    };
    const stream = await createTextStream('', readWholeList(list), (row) => `${row}\n`);
    const text = (await stream.toArray()).join('');
    expect(text.trimEnd().split('\n').map(Number)).toEqual(numbers);
  });
});
