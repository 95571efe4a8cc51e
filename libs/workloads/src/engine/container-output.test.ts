import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutputDemultiplexer, type OutputStream } from './container-output.ts';

const frame = (stream: OutputStream, data: Uint8Array) => {
  const header = Buffer.alloc(8);
  header[0] = stream === 'stderr' ? 2 : 1;
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
};

describe('OutputDemultiplexer', () => {
  it('delivers the same output for any division into chunks', () => {
    const frames = fc.array(
      fc.tuple(fc.constantFrom<OutputStream>('stdout', 'stderr'), fc.uint8Array({ maxLength: 40 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 13 }), (sent, step) => {
        const wire = Buffer.concat(sent.map(([stream, data]) => frame(stream, data)));
        const got: Record<OutputStream, Buffer[]> = { stdout: [], stderr: [] };
        const demultiplexer = new OutputDemultiplexer((stream, data) => got[stream].push(Buffer.from(data)));
        for (let at = 0; at < wire.length; at += step) demultiplexer.push(wire.subarray(at, at + step));
        for (const stream of ['stdout', 'stderr'] as const) {
          const expected = Buffer.concat(sent.filter(([name]) => name === stream).map(([, data]) => Buffer.from(data)));
          expect(Buffer.concat(got[stream]).equals(expected)).toBe(true);
        }
      }),
    );
  });
});
