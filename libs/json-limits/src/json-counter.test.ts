import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { exceededLimitInTurns } from './json-counter-in-turns.ts';
import { DEFAULT_JSON_LIMITS, JsonCounter, type JsonCounts, type JsonLimits, exceededLimit } from './json-counter.ts';

const NO_LIMITS: JsonLimits = { nodes: Infinity, keys: Infinity, depth: Infinity };
const encode = (text: string) => new TextEncoder().encode(text);

function countParts(value: unknown): JsonCounts {
  if (typeof value !== 'object' || value === null) return { nodes: 1, keys: 0, depth: 0 };
  const parts = Object.values(value).map(countParts);
  const sum = (of: (counts: JsonCounts) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    nodes: 1 + sum(({ nodes }) => nodes),
    keys: (Array.isArray(value) ? 0 : parts.length) + sum(({ keys }) => keys),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}

function counted(bytes: Uint8Array, cuts: readonly number[] = []): JsonCounts {
  const counter = new JsonCounter(NO_LIMITS);
  let start = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    counter.push(bytes, start, end);
    start = end;
  }
  return counter.counts;
}

/** JSON texts with all kinds of white space. */
const jsonTexts = fc
  .tuple(fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }), fc.constantFrom(undefined, ' ', '\t', '\r\n'))
  .map(([value, space]) => ({ value, text: JSON.stringify(value, undefined, space) }));

describe('JsonCounter', () => {
  it('stops behind an object or list whose end leaves so many others open', () => {
    const counter = new JsonCounter();
    const bytes = encode('[{"a": "}]", "b": [{}]}, [1], 2]');
    const ends = [0, 0, 0].map(() => {
      counter.push(bytes, counter.offset, bytes.length, 1);
      return counter.offset;
    });
    expect(ends).toEqual([23, 28, bytes.length]);
  });

  it('knows how many objects and lists are open', () => {
    const counter = new JsonCounter();
    const depths = ['[{"a":', '"}]"', '}', ',[', ']]'].map((part) => {
      counter.push(encode(part));
      return counter.openDepth;
    });
    expect(depths).toEqual([2, 2, 1, 2, 0]);
  });

  it('counts the nodes, keys and depth of the tree that JSON.parse builds', () => {
    fc.assert(
      fc.property(jsonTexts, ({ value, text }) => {
        expect(counted(encode(text))).toEqual(countParts(value));
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it('counts the same for any chunks', () => {
    fc.assert(
      fc.property(jsonTexts, fc.array(fc.nat()), ({ text }, cuts) => {
        const bytes = encode(text);
        expect(counted(bytes, cuts)).toEqual(counted(bytes));
      }),
    );
  });

  it('counts a repeated key twice', () => {
    expect(counted(encode('{"a":1,"a":2}'))).toEqual({ nodes: 3, keys: 2, depth: 1 });
  });

  it('does not throw for bytes that are not JSON', () => {
    const tokens = fc.array(fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', ' ', '1', 'x', '\0', 'é'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          tokens.map((parts) => encode(parts.join(''))),
        ),
        (bytes) => {
          const { nodes, keys, depth } = counted(bytes);
          expect(keys).toBeLessThanOrEqual(bytes.length);
          expect(nodes).toBeLessThanOrEqual(bytes.length);
          expect(depth).toBeLessThanOrEqual(bytes.length);
        },
      ),
      { numRuns: 2_000 * effort },
    );
  });
});

describe('exceededLimit', () => {
  it('accepts a text at each limit and names an exceeded limit', () => {
    fc.assert(
      fc.property(jsonTexts, ({ value, text }) => {
        const bytes = encode(text);
        const counts = countParts(value);
        expect(exceededLimit(bytes, counts)).toBeUndefined();
        expect(exceededLimit(bytes, { ...NO_LIMITS, nodes: counts.nodes - 1 })).toBe('nodes');
        if (counts.keys > 0) expect(exceededLimit(bytes, { ...NO_LIMITS, keys: counts.keys - 1 })).toBe('keys');
        if (counts.depth > 0) expect(exceededLimit(bytes, { ...NO_LIMITS, depth: counts.depth - 1 })).toBe('depth');
      }),
    );
  });

  it('has limits of 50,000 nodes, 50,000 keys and 100 levels', () => {
    const list = (items: number) => encode(`[${'1,'.repeat(items - 1)}1]`);
    expect(exceededLimit(list(49_999))).toBeUndefined();
    expect(exceededLimit(list(50_000))).toBe('nodes');
    const nested = (levels: number) => encode('['.repeat(levels) + ']'.repeat(levels));
    expect(exceededLimit(nested(100))).toBeUndefined();
    expect(exceededLimit(nested(101))).toBe('depth');
    expect(DEFAULT_JSON_LIMITS.keys).toBe(50_000);
  });

  it('limits the members of each object', () => {
    const text = encode('[{"a":1,"b":{"c":1,"d":2}},{"e":{},"f":[{}]}]');
    expect(exceededLimit(text, { ...NO_LIMITS, members: 2 })).toBeUndefined();
    expect(exceededLimit(text, { ...NO_LIMITS, members: 1 })).toBe('members');
    const nested = encode('{"a":{"x":1,"y":2,"z":3},"b":1,"c":2}');
    expect(exceededLimit(nested, { ...NO_LIMITS, members: 2 })).toBe('members');
    expect(exceededLimit(nested, { ...NO_LIMITS, members: 3 })).toBeUndefined();
  });

  it('stops at the first byte that exceeds a limit', () => {
    const bytes = encode('[1,2,3,4,5,6]');
    const counter = new JsonCounter({ ...NO_LIMITS, nodes: 3 });
    expect(counter.push(bytes)).toBe('nodes');
    expect(counter.counts.nodes).toBe(4);
  });

  it('ignores brackets, quotes and colons inside strings', () => {
    expect(
      exceededLimit(encode(JSON.stringify('[{"\\":'.repeat(1_000))), { nodes: 1, keys: 0, depth: 0 }),
    ).toBeUndefined();
  });
});

describe('exceededLimitInTurns', () => {
  it('agrees with exceededLimit on texts of many turns', async () => {
    const text = encode(JSON.stringify(Array.from({ length: 40_000 }, (_, at) => `"\\${at}`.padEnd(30, '"'))));
    for (const nodes of [10, 39_999, 40_001])
      expect(await exceededLimitInTurns(text, { ...NO_LIMITS, nodes })).toBe(
        exceededLimit(text, { ...NO_LIMITS, nodes }),
      );
  });

  it('yields to other work', async () => {
    let others = 0;
    const timer = setInterval(() => (others += 1), 0);
    await exceededLimitInTurns(encode(JSON.stringify('x'.repeat(20 * 1024 * 1024))));
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
  });
});
