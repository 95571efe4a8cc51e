import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { DEFAULT_RESPONSE_LIMITS } from '../response-limits.ts';
import { EventReader, type StreamEvent } from './event-reader.ts';

interface Outcome {
  events: StreamEvent[];
  error: Error | undefined;
}

/** Reads a stream in chunks, and waits while the reader has paused its source. */
async function read(bytes: Uint8Array, cuts: readonly number[] = []): Promise<Outcome> {
  const events: StreamEvent[] = [];
  const state = { isPaused: false, resume: (): void => undefined };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const source = {
    pause: () => {
      state.isPaused = true;
    },
    resume: () => {
      state.isPaused = false;
      state.resume();
    },
  };
  const sink = {
    onEvent: (event: StreamEvent) => void events.push(event),
    onStreamEnd: (error: Error | undefined) => resolve({ events, error }),
  };
  const reader = new EventReader(source, sink, DEFAULT_RESPONSE_LIMITS);
  let start = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    reader.push(bytes.slice(start, end));
    start = end;
    await Promise.race([promise, state.isPaused ? new Promise<void>((run) => (state.resume = run)) : undefined]);
  }
  reader.close(undefined);
  return promise;
}

const encode = (text: string) => new TextEncoder().encode(text);
const large = (length: number) => JSON.stringify({ x: 'x'.repeat(length) });

describe('EventReader', () => {
  it('reads the fields of each event', async () => {
    const { events } = await read(
      encode(
        ': hi\n\nid: 1\nretry: 5\ndata:\n\nevent: endpoint\ndata: /a\ndata: b\n\nid:\nretry: x\ndata: {"a":\ndata: 1}\n\n',
      ),
    );
    expect(events).toEqual([
      { id: '1', retryMs: 5, name: '', value: undefined, text: undefined },
      { id: undefined, retryMs: undefined, name: 'endpoint', value: undefined, text: '/a\nb' },
      { id: '', retryMs: undefined, name: '', value: { a: 1 }, text: undefined },
    ]);
  });

  it('keeps the order of small and large events in any chunks', async () => {
    const event = fc.record({
      id: fc.option(fc.nat(), { nil: undefined }),
      data: fc.oneof(
        { weight: 9, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) },
        { weight: 1, arbitrary: fc.constant({ x: 'ü'.repeat(50_000) }) },
      ),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 6 }), async (list, cuts) => {
        const text = list.map(({ id, data, lineEnd }) =>
          [...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`, '', ''].join(lineEnd),
        );
        const { events, error } = await read(encode(text.join('')), cuts);
        expect(error).toBeUndefined();
        expect(events.map(({ id, value }) => [id, value])).toEqual(
          list.map(({ id, data }) => [id?.toString(), JSON.parse(JSON.stringify(data)) as unknown]),
        );
      }),
      { seed, numRuns: 100 * effort },
    );
  });

  it('ends with the error of the first event beyond the limits', async () => {
    const { events, error } = await read(encode(`data: {}\n\ndata: ${large(5_000_000)}\n\ndata: {}\n\n`));
    expect([events.length, error]).toMatchObject([1, { code: 'answer_beyond_limit' }]);
  });
});
