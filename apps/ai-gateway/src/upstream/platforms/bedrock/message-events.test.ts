import { describe, expect, it } from '@jest/globals';
import { encodeChunk, encodeException, encodeFrame } from '@gatehouse/testing/amazon-event-stream';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { messages } from '../../../formats/anthropic/messages.ts';
import { createReceived } from '../../../formats/read-response.fixture.ts';
import { MessageEvents } from './message-events.ts';

const request = messages.readRequest(createReceived({ model: 'm', max_tokens: 9, stream: true, messages: [] }));

/** Converts pieces of a stream into the text for the client. */
function convert(...pieces: readonly Uint8Array[]): string {
  const { text, error } = tryToConvert(...pieces);
  if (error !== undefined) throw error;
  return text;
}

/** Converts pieces of a stream, up to its first error. */
function tryToConvert(...pieces: readonly Uint8Array[]): { text: string; error?: Error } {
  const converter = new MessageEvents(request);
  const parts: Buffer[] = [];
  const read = () => Buffer.concat(parts).toString();
  try {
    for (const piece of pieces) converter.push(Buffer.from(piece), parts);
    converter.end();
    return { text: read() };
  } catch (error) {
    return { text: read(), error: error as Error };
  }
}

/** Splits bytes at offsets, which can be the same. */
function split(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const places = [0, ...offsets.map((one) => one % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

const START = '{"type":"message_start","message":{"usage":{"input_tokens":3}}}';
const STOP = '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3}}';
const EVENT = { ':message-type': 'event', ':event-type': 'chunk' };

describe('MessageEvents', () => {
  it('writes the event of each chunk unchanged, with its type as its name', () => {
    const delta = '{ "type" : "content_block_delta", "index":0.0, "delta":{"text":"世界 \\ud83d\\ude42"} }';
    const frames = [START, delta, STOP].map((event) => encodeChunk(event));
    expect(convert(...frames)).toBe(
      `event: message_start\ndata: ${START}\n\nevent: content_block_delta\ndata: ${delta}\n\nevent: message_stop\ndata: ${STOP}\n\n`,
    );
  });

  it('writes an event with line ends between its tokens on one line', () => {
    expect(convert(encodeChunk('{\r\n"type":\n"ping"}'))).toBe('event: ping\ndata: {  "type": "ping"}\n\n');
  });

  it('ignores chunks without a type, frames of other types, and names that would be more fields', () => {
    const frames = [
      encodeChunk('{}'),
      encodeChunk('{"type":3}'),
      encodeChunk('{"type":"a\\ndata: injected"}'),
      encodeFrame({ ':message-type': 'event', ':event-type': 'initial-response' }, '{}'),
      encodeChunk('{"type":"ping"}'),
    ];
    expect(convert(...frames)).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  it.each([
    ['throttlingException', 'rate_limit_error'],
    ['modelStreamErrorException', 'api_error'],
    ['internalServerException', 'api_error'],
    ['serviceUnavailableException', 'overloaded_error'],
    ['modelTimeoutException', 'timeout_error'],
    ['validationException', 'invalid_request_error'],
    ['newException', 'api_error'],
  ])('ends the stream at %s with the error %s', (exception, type) => {
    const text = convert(
      encodeChunk(START),
      encodeException(exception, 'too "much"'),
      encodeChunk(STOP),
      Buffer.from('x'),
    );
    const [, error] = text.split('event: error\ndata: ');
    expect(JSON.parse(error ?? '')).toEqual({ type: 'error', error: { type, message: 'too "much"' } });
  });

  it('ends the stream at an error that has no model', () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'broken' };
    expect(convert(encodeFrame(headers, ''))).toContain(
      '{"type":"error","error":{"type":"api_error","message":"broken"}}',
    );
  });

  it('writes the same events however the frames are split', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const event = fc.record({ type: fc.constantFrom('ping', 'content_block_delta', 'new_type'), text });
    const frame = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.tuple(event, text).map(([one, padding]) => encodeChunk(JSON.stringify(one), padding)),
      },
      fc.constant(encodeFrame(EVENT, '{"bytes":""}'.replace('""', '"e30="'))),
      fc.constant(encodeException('throttlingException', 'slow')),
      fc.constantFrom(Buffer.alloc(20), Buffer.from('text'), encodeFrame(EVENT, 'x', { checksum: 1 })),
    );
    const property = fc.property(
      fc.array(frame, { maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 40 }),
      (frames, offsets) => {
        const bytes = Buffer.concat(frames);
        const whole = tryToConvert(bytes);
        expect(tryToConvert(...split(bytes, offsets))).toEqual(whole);
        if (bytes.length < 2_000) expect(tryToConvert(...split(bytes, [...bytes.keys()]))).toEqual(whole);
      },
    );
    fc.assert(property, { seed, numRuns: 100 * effort });
  });
});

describe('hostile frames', () => {
  const chunk = encodeChunk(START);
  const flip = (bytes: Buffer, at: number) => Buffer.from(bytes.map((byte, place) => (place === at ? byte ^ 1 : byte)));

  it.each<[string, Buffer]>([
    ['a frame of 4 GiB', encodeFrame(EVENT, '', { length: 0xffffffff })],
    ['a frame above the limit', encodeFrame(EVENT, '', { length: 16 * 1024 * 1024 + 1 })],
    ['a frame shorter than its prelude', encodeFrame(EVENT, '', { length: 15 })],
    ['a frame of no length', Buffer.alloc(12)],
    ['headers of 1 GiB', encodeFrame(EVENT, '', { length: 1_000_000, headerLength: 2 ** 30 })],
    ['headers longer than the frame', encodeFrame(EVENT, '', { headerLength: 200 })],
    ['headers above the limit', encodeFrame(EVENT, '', { length: 1_000_000, headerLength: 128 * 1024 + 1 })],
    ['text', Buffer.from('data: {"type":"ping"}\n\n')],
  ])('are refused at their prelude: %s', (_, bytes) => {
    expect(() => new MessageEvents(request).push(bytes.subarray(0, 12), [])).toThrow('too large or malformed');
  });

  it.each<[string, Buffer]>([
    ['a wrong checksum of the prelude', encodeFrame(EVENT, 'x', { preludeChecksum: 1 })],
    ['a wrong checksum', encodeFrame(EVENT, 'x', { checksum: 1 })],
    ['a header name that reaches beyond the headers', encodeFrame(Buffer.from([255, 58]), '')],
    ['a header value that reaches beyond the frame', encodeFrame(Buffer.from([1, 58, 7, 255, 255]), '')],
    ['a header of an unknown type', encodeFrame(Buffer.from([1, 58, 99]), '')],
    ['no message type', encodeFrame({}, '{}')],
    ['a body that is not JSON', encodeFrame(EVENT, 'x')],
    ['a body with more than JSON', encodeFrame(EVENT, '{"bytes":"e30="} x')],
    ['bytes that are not JSON', encodeChunk('{"type":')],
    ['bytes with more than JSON', encodeChunk('{"type":"ping"}\n\ndata: injected')],
  ])('are refused as a whole: %s', (_, bytes) => {
    expect(() => convert(bytes)).toThrow();
  });

  it('never pass a changed byte of a chunk', () => {
    for (let at = 0; at < chunk.length; at += 1) expect(() => convert(flip(chunk, at))).toThrow();
  });

  it('come after the events before them', () => {
    const { text, error } = tryToConvert(Buffer.concat([encodeChunk('{"type":"ping"}'), Buffer.alloc(20)]));
    expect([text, error?.message]).toEqual(['event: ping\ndata: {"type":"ping"}\n\n', expect.any(String)]);
  });

  it('are refused when the stream ends within one', () => {
    for (const end of [1, 11, 12, chunk.length - 1]) expect(() => convert(chunk.subarray(0, end))).toThrow('ended');
  });

  it('keep no more memory than the bytes that arrived', () => {
    const claim = encodeFrame(EVENT, '', { length: 16 * 1024 * 1024 }).subarray(0, 12);
    const before = process.memoryUsage().arrayBuffers;
    const open = Array.from({ length: 200 }, () => {
      const converter = new MessageEvents(request);
      converter.push(claim, []);
      return converter;
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(open).toHaveLength(200);
  });

  it('keep nothing of frames without content, however many there are', () => {
    const empty = encodeFrame({ ':message-type': 'event' }, '');
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => empty));
    const converter = new MessageEvents(request);
    const parts: Buffer[] = [];
    for (let at = 0; at < 50; at += 1) converter.push(many, parts);
    expect(parts).toEqual([]);
    expect(() => {
      converter.end();
    }).not.toThrow();
  });
});
