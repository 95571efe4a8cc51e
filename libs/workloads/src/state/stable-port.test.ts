import { describe, expect, it } from '@jest/globals';
import { listPortCandidates } from './stable-port.ts';

const first = (home: string, name: string, remembered?: number, taken: number[] = []) =>
  [...listPortCandidates(home, name, remembered, new Set(taken))][0]!;

describe('listPortCandidates', () => {
  it('yields the same port for a name, and another one for another name or home', () => {
    expect(first('h', 'a')).toBe(first('h', 'a'));
    expect(first('h', 'a')).not.toBe(first('h', 'b'));
    expect(first('h', 'a')).not.toBe(first('i', 'a'));
  });

  it('yields the last port of the name first', () => expect(first('h', 'a', 4242)).toBe(4242));

  it('yields ports of other names last', () => {
    const own = first('h', 'a');
    expect(first('h', 'a', undefined, [own])).toBe(own + 1);
    expect([...listPortCandidates('h', 'a', undefined, new Set([own]))].at(-1)).toBe(own);
  });

  it('yields each port below the ephemeral ports once', () => {
    const all = [...listPortCandidates('h', 'a', undefined, new Set())];
    expect(new Set(all).size).toBe(20_000);
    expect(Math.min(...all)).toBe(10_000);
    expect(Math.max(...all)).toBe(29_999);
  });
});
