import { describe, expect, it } from '@jest/globals';
import { LruMap } from './lru-map.ts';

describe('a map of what was used last', () => {
  it('forgets what was not used for longest, and no more than it must', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
    map.set('a', 4);
    expect([map.get('a'), map.get('c')]).toEqual([4, 3]);
  });

  it('forgets everything when it is told to', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.clear();
    expect(map.get('a')).toBeUndefined();
  });
});
