import { Readable } from 'node:stream';
import type { HoldableCursor } from './holdable-cursor.ts';

/** The stream is aborted if its reader takes no data for this time. */
const READER_TIMEOUT_MS = 60_000;

/** Rows in batches. `return` is called when the reader stops. */
export type Batches<Row> = AsyncGenerator<Row[], void, undefined>;

/** The batches of a cursor. Its connection is released at their end, also after an error. */
export async function* readBatches<Row>(rows: HoldableCursor<Row>): Batches<Row> {
  try {
    for (;;) {
      const batch = await rows.readNext();
      if (batch.length === 0) return;
      yield batch;
    }
  } finally {
    await rows.close();
  }
}

/**
 * Creates a text stream of any length. A batch is read when the reader has taken the previous one.
 * The first batch is read before the promise resolves, so that its errors can become an error
 * response. After a later error, or a minute without a reader, the stream is aborted, so that the
 * client does not accept an incomplete list as complete.
 * @param head the text before the first row
 * @param formatLine the text of a row
 * @param onEnd called once at the end of the stream, also after an error; not if this rejects
 */
export async function createTextStream<Row>(
  head: string,
  batches: Batches<Row>,
  formatLine: (row: Row) => string,
  onEnd: () => void = () => undefined,
): Promise<Readable> {
  const first = await batches.next();
  const stream = Readable.from(createChunks(), { objectMode: false, highWaterMark: 64 * 1024 });
  stream.once('close', () => {
    // A stream that is destroyed before its first read never runs the generator or its `finally`.
    void batches.return().finally(onEnd);
  });
  return stream;

  async function* createChunks(): AsyncGenerator<string> {
    if (head !== '') yield head;
    for (let batch = first; !batch.done; batch = await batches.next()) {
      const stalled = setTimeout(
        () => stream.destroy(new Error('the client has read no data for a minute')),
        READER_TIMEOUT_MS,
      );
      stalled.unref();
      try {
        yield batch.value.map(formatLine).join('');
      } finally {
        clearTimeout(stalled);
      }
    }
  }
}
