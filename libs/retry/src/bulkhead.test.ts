import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.ts';

describe('Bulkhead', () => {
  it('runs work up to its limit, lets some wait, and refuses the rest', async () => {
    const bulkhead = new Bulkhead(2, 1);
    const begun: number[] = [];
    const work = [0, 1, 2, 3].map((index) => {
      const gate = Promise.withResolvers<number>();
      const run = () => {
        begun.push(index);
        return gate.promise;
      };
      return { gate, result: bulkhead.run(run, () => new Error('too much')) };
    });
    await expect(work[3]?.result).rejects.toThrow('too much');
    expect(begun).toEqual([0, 1]);
    for (const [index, { gate }] of work.entries()) gate.resolve(index);
    expect(await Promise.all(work.slice(0, 3).map(({ result }) => result))).toEqual([0, 1, 2]);
    expect(begun).toEqual([0, 1, 2]);
  });

  it('passes the errors of work on', async () => {
    const bulkhead = new Bulkhead(1, 0);
    const fail = () => Promise.reject(new Error('failed'));
    await expect(bulkhead.run(fail, () => new Error('too much'))).rejects.toThrow('failed');
  });
});
