import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { EventStreamDecoder } from '@gatehouse/mcp/event-stream';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { Exchange } from '../pipeline/exchange.ts';
import type { MessageReader } from '../pipeline/answer-readers.ts';
import { EventAnswer, JsonAnswer, MAX_ANSWER_BYTES } from './answer-body.ts';

const runs = (numRuns: number) => ({ numRuns: Math.ceil(numRuns * effort), seed });

function createExchange(reader: MessageReader, required: boolean): Exchange {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  const exchange = new Exchange(request, new ServerResponse(request), '/mcp');
  exchange.message = { kind: 'request', message: { jsonrpc: '2.0', id: 7, method: 'tools/list' } };
  exchange.readAnswer(reader, { required });
  return exchange;
}

/** The bytes that the client gets for these chunks. */
function relay(chunks: readonly Buffer[], reader: MessageReader, required: boolean): Buffer {
  const answer = new EventAnswer(createExchange(reader, required));
  return Buffer.concat([...chunks.map((chunk) => answer.push(chunk)), answer.end()]);
}

/** Splits bytes at the offsets, which can be any numbers. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((one, other) => one - other);
  return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
}

const message = fc
  .record({ id: fc.oneof(fc.integer(), fc.string()), text: fc.string({ unit: 'grapheme' }) })
  .map(({ id, text }) => JSON.stringify({ jsonrpc: '2.0', id, result: { secret: text } }));

/** Pieces of streams: right ones, almost right ones and bytes that mean nothing. */
const piece = fc.oneof(
  { weight: 4, arbitrary: message.map((text) => `data: ${text}\n\n`) },
  { weight: 2, arbitrary: message.map((text) => `data:${text.slice(0, 12)}\r\ndata: ${text.slice(12)}\r\n\r\n`) },
  message,
  fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\uFEFF', 'data', 'data:', 'data: ', ':', 'Data: ', ' data: ', 'dat'),
  fc.constantFrom('event: message\n', 'event: endpoint\n', 'id: 7\n', 'id: \0\n', 'retry: 9\n', ': comment\n'),
  fc.constantFrom('data: [1]\n\n', 'data: {}\n\n', 'data: null\n\n', 'data: \u2028\n\n', 'data: {"jsonrpc":"2.0"\n\n'),
  fc.string({ unit: 'binary' }),
);
const stream = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
  fc
    .array(
      fc.oneof(
        piece.map((text) => Buffer.from(text)),
        fc.uint8Array(),
      ),
      { maxLength: 12 },
    )
    .map((parts) => Buffer.concat(parts)),
);
const keep: MessageReader = (read) => read;

describe('the events of an answer', () => {
  it('keep every byte where no pass changes them, however the stream is split', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        expect(relay(split(bytes, cuts), keep, false).equals(bytes)).toBe(true);
      }),
      runs(300),
    );
  });

  it('mean the same after a split at every byte', () => {
    const hide: MessageReader = (read) => ({ ...read, hidden: true });
    fc.assert(
      fc.property(stream, (bytes) => {
        // A pair of CR and LF that is split leaves a blank line more, which has no meaning.
        const read = (chunks: readonly Buffer[]) =>
          JSON.stringify(new EventStreamDecoder().push(relay(chunks, hide, true)));
        const whole = read([bytes]);
        const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
        expect(cuts.find((at) => read([bytes.subarray(0, at), bytes.subarray(at)]) !== whole)).toBeUndefined();
        expect(read([...bytes].map((byte) => Buffer.from([byte])))).toBe(whole);
      }),
      runs(20),
    );
  });

  it('never reach a client past a pass that must see them', () => {
    const hide: MessageReader = () => ({ jsonrpc: '2.0', method: 'seen' });
    const seen = '{"jsonrpc":"2.0","method":"seen"}';
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
        // A client that takes an event without its blank line is the worst case.
        const output = Buffer.concat([relay(split(bytes, cuts), hide, true), Buffer.from('\n\n')]);
        const events = new EventStreamDecoder().push(output);
        for (const { data } of events)
          if (data !== '' && data !== seen) expect(JSON.parse(data)).toMatchObject({ id: 7, error: { code: -32603 } });
      }),
      runs(600),
    );
  });

  it('are limited in size, with or without a line end', () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (const [first, next] of [
      ['data: ', chunk],
      ['', Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n`)],
    ] as const) {
      const answer = new EventAnswer(createExchange(keep, true));
      answer.push(Buffer.from(first));
      const pushAll = () => {
        for (let at = 0; at <= MAX_ANSWER_BYTES / chunk.length; at++) answer.push(next);
      };
      expect(pushAll).toThrow(/an event of more than/);
    }
  });
});

describe('the JSON body of an answer', () => {
  it('is what a pass that must see it has made of it, or an error', () => {
    const hide: MessageReader = () => ({ jsonrpc: '2.0', method: 'seen' });
    const body = fc.oneof(message, fc.json(), piece, fc.string({ unit: 'binary' })).map((text) => Buffer.from(text));
    fc.assert(
      fc.property(body, fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
        const answer = new JsonAnswer(createExchange(hide, true), 200);
        for (const chunk of split(bytes, cuts)) expect(answer.push(chunk)).toBeUndefined();
        try {
          expect(answer.end().toString()).toBe(bytes.length === 0 ? '' : '{"jsonrpc":"2.0","method":"seen"}');
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable_answer' });
        }
      }),
      runs(300),
    );
  });
});
