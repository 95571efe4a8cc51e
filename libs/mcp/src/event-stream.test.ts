import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeEvent, EventStreamDecoder, EventTooLargeError } from './event-stream.ts';
import type { ServerSentEvent } from './event-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => new EventStreamDecoder().push(bytes(text));

/** Feeds the text in pieces that end anywhere, inside characters and line ends included. */
function readInPieces(text: string, cuts: readonly number[]): ServerSentEvent[] {
  const decoder = new EventStreamDecoder();
  const all = bytes(text);
  const ends = [...cuts.map((cut) => cut % (all.length + 1)), all.length].toSorted((one, other) => one - other);
  let start = 0;
  return ends.flatMap((end) => {
    const events = decoder.push(all.subarray(start, end));
    start = end;
    return events;
  });
}

describe('encodeEvent', () => {
  it('writes an event with an id, a pause and no data', () => {
    expect(encodeEvent({ id: 'p1.0', retryMs: 1_000, data: '' })).toBe('id: p1.0\nretry: 1000\ndata: \n\n');
  });
});

describe('EventStreamDecoder', () => {
  it.each(['\n', '\r\n', '\r'])('accepts %j at the end of lines', (end) => {
    expect(
      read(['event: message', 'id: 1', 'data: a', 'data: b', '', ''].join(end) + (end === '\r' ? '\n' : '')),
    ).toEqual([{ event: 'message', id: '1', data: 'a\nb' }]);
  });

  it('ignores a byte order mark at the beginning', () => {
    expect(read('\uFEFFdata: x\n\n')).toEqual([{ data: 'x' }]);
  });

  it('ignores comments, unknown fields and events without data', () => {
    expect(read(': keep-alive\n\nfoo: bar\nevent: x\n\ndata\n\ndata:  y\n\n')).toEqual([{ data: '' }, { data: ' y' }]);
  });

  it('keeps the last id for later events and ignores one with a null character', () => {
    const decoder = new EventStreamDecoder();
    expect(decoder.push(bytes('id: 7\ndata: a\n\nid: x\0\ndata: b\n\n'))).toEqual([
      { id: '7', data: 'a' },
      { id: '7', data: 'b' },
    ]);
    expect(decoder.lastEventId).toBe('7');
  });

  it('drops an incomplete event at the end', () => {
    expect(read('data: complete\n\ndata: half')).toEqual([{ data: 'complete' }]);
  });

  it('throws at an event that exceeds the limit', () => {
    const decoder = new EventStreamDecoder(100);
    expect(() => decoder.push(bytes(`data: ${'x'.repeat(200)}`))).toThrow(EventTooLargeError);
    const lines = new EventStreamDecoder(100);
    expect(() => lines.push(bytes('data: 0123456789\n'.repeat(20)))).toThrow(EventTooLargeError);
  });

  it('decodes encoded events from any chunks', () => {
    const event = fc.record(
      {
        id: fc.stringMatching(/^[a-z0-9.]{1,8}$/),
        event: fc.stringMatching(/^[a-z]{1,8}$/),
        data: fc.string({ unit: 'grapheme' }),
      },
      { requiredKeys: ['id', 'data'] },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.array(fc.nat()), (events, cuts) => {
        const written = events.map((one) => encodeEvent(one as ServerSentEvent)).join('');
        const expected = events.map((one) => ({ ...one, data: one.data.replace(/\r\n|\r/g, '\n') }));
        expect(readInPieces(written, cuts)).toEqual(expected);
      }),
    );
  });

  it('decodes the same events from one chunk and from many', () => {
    const text = fc.string({ unit: fc.constantFrom('\n', '\r', ':', ' ', 'data', 'id', 'x', 'ä', '\0') });
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (some, cuts) => expect(readInPieces(some, cuts)).toEqual(read(some))),
    );
  });

  it('refuses an id or event name with a line break', () => {
    expect(() => encodeEvent({ id: '1\ndata: forged', data: '' })).toThrow(RangeError);
    expect(() => encodeEvent({ event: 'a\rb', data: '' })).toThrow(RangeError);
  });
});
