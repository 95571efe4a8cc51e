import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { readLines } from './lines.ts';

async function read(chunks: readonly Buffer[]) {
  const output = new PassThrough();
  const seen = { messages: [] as unknown[], noise: [] as string[], ends: 0 };
  const over = new Promise<void>((resolve) => {
    readLines(output, {
      onMessage: (read) => seen.messages.push(read.message),
      onInvalidLine: (text) => seen.noise.push(text),
      onEnd() {
        seen.ends++;
        resolve();
      },
    });
  });
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await over;
  await new Promise((resolve) => setImmediate(resolve));
  return seen;
}

const line = (message: object) => `${JSON.stringify(message)}\n`;
const notification = { jsonrpc: '2.0', method: 'n' };

describe('readLines', () => {
  it('skips all text around and between the messages', async () => {
    const text = `starting…\n${line(notification)}\r\n\u001b[2m[info] ${JSON.stringify(notification)}\u001b[0m\r\n{"level":"info"}\n{broken\n`;
    expect(await read([Buffer.from(text)])).toEqual({
      messages: [notification, notification],
      noise: ['starting…', '{"level":"info"}', '{broken'],
      ends: 1,
    });
  });

  it('reads the same messages from any chunks, also when one ends inside a character', async () => {
    const methods = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 6 });
    const property = fc.asyncProperty(methods, fc.array(fc.nat()), async (names, cuts) => {
      const messages = names.map((method) => ({ jsonrpc: '2.0', method }));
      const bytes = Buffer.from(messages.map(line).join(''));
      const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((one, other) => one - other);
      const chunks = ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
      expect((await read(chunks)).messages).toEqual(messages);
    });
    await fc.assert(property, { numRuns: 50 * effort });
  });

  it('ignores an incomplete last line', async () => {
    expect(await read([Buffer.from(`${line(notification)}{"jsonrpc":"2.0","method":"half"`)])).toMatchObject({
      messages: [notification],
      ends: 1,
    });
  });
});
