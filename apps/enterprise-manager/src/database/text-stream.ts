import { Readable } from 'node:stream';
import type { HeldRows } from './held-rows.ts';

/** How long somebody may take nothing before the stream is broken off. */
const STALLED_MS = 60_000;

/** Rows in batches; `return` is called when nobody wants more. */
export type Batches<Row> = AsyncGenerator<Row[], void, undefined>;

/** The batches of a statement; its connection goes back when they end, for whatever reason. */
export async function* batchesOf<Row>(rows: HeldRows<Row>): Batches<Row> {
  try {
    for (;;) {
      const batch = await rows.next();
      if (batch.length === 0) return;
      yield batch;
    }
  } finally {
    await rows.close();
  }
}

/**
 * A text of any length, made while it is read: the next batch is asked for only when the last one
 * has been taken. The first batch is read before this resolves, so that what fails then can still
 * be answered with a failure. A stream that ends early, by a failure or because nobody takes any
 * more for a minute, is broken off, so that nobody takes the part for the whole.
 * @param head the text before the first row
 * @param lineOf the text of a row
 * @param ended called once, when the stream has ended in whatever way; not when this rejects
 */
export async function textStream<Row>(
  head: string,
  batches: Batches<Row>,
  lineOf: (row: Row) => string,
  ended: () => void = () => undefined,
): Promise<Readable> {
  const first = await batches.next();
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * 1024 });
  stream.once('close', () => {
    // A stream that is destroyed before it was read never runs the generator, nor its `finally`.
    void batches.return().finally(ended);
  });
  return stream;

  async function* chunks(): AsyncGenerator<string> {
    if (head !== '') yield head;
    for (let batch = first; !batch.done; batch = await batches.next()) {
      const stalled = setTimeout(() => stream.destroy(new Error('nobody took the answer')), STALLED_MS);
      stalled.unref();
      try {
        yield batch.value.map(lineOf).join('');
      } finally {
        clearTimeout(stalled);
      }
    }
  }
}
