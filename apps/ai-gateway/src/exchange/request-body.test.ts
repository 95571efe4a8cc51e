import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readRequestBody } from './request-body.ts';

const read = (parts: Iterable<Buffer>) => {
  const request = Object.assign(Readable.from(parts, { objectMode: false }), { headers: {} });
  return readRequestBody(request as unknown as IncomingMessage, 10_000_000, { take: () => undefined });
};

function* cut(text: string): Generator<Buffer> {
  for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
}

describe('a body that arrives byte by byte', () => {
  it('is read', async () => {
    const text = JSON.stringify({ text: 'é'.repeat(5_000) });
    const { bytes, body } = await read(cut(text));
    expect([Buffer.from(bytes).toString(), body]).toEqual([text, JSON.parse(text)]);
  });

  it('is refused after 100,000 parts, since each costs time and memory of its own', async () => {
    await expect(read(cut(JSON.stringify({ text: 'x'.repeat(100_000) })))).rejects.toMatchObject({
      failure: 'request_too_large',
      message: 'The body has more than 100000 parts.',
    });
  });
});
