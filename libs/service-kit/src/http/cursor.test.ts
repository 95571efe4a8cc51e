import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { CursorCodec } from './cursor.ts';
import type { CursorBinding } from './cursor.ts';

const codec = new CursorCodec('a key that all replicas share: 0123456789');
const binding: CursorBinding = {
  list: 'groups',
  filters: { name: 'a', source: undefined },
  caller: { issuerId: 'local', subject: 'alice' },
};

const position = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
  { minLength: 1, maxLength: 4 },
);
const text = fc.string({ maxLength: 12 });
const anyBinding: fc.Arbitrary<CursorBinding> = fc.record({
  list: text,
  filters: fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text, { maxLength: 2 }))),
  caller: fc.record({ issuerId: text, subject: text }),
});

const refused = expect.objectContaining({
  kind: 'invalid',
  message: expect.stringMatching(/^before: is not a cursor/),
});
const opening = (under: CursorBinding, cursor: string, by = codec) => {
  try {
    return by.open(under, cursor, 'before');
  } catch (error) {
    return error;
  }
};

describe('CursorCodec', () => {
  it('returns the position on every replica with the key', () => {
    const replica = new CursorCodec('a key that all replicas share: 0123456789');
    fc.assert(
      fc.property(anyBinding, position, (under, at) => {
        const cursor = codec.seal(under, at);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(replica.open(under, cursor)).toEqual(at);
      }),
    );
  });

  it('ignores the order of filters and undefined filters', () => {
    const cursor = codec.seal({ ...binding, filters: { b: '1', a: '2', c: undefined } }, ['x']);
    expect(codec.open({ ...binding, filters: { a: '2', b: '1' } }, cursor)).toEqual(['x']);
  });

  it('refuses a cursor of the other direction', () => {
    const next = codec.seal(binding, ['x']);
    const previous = codec.seal({ ...binding, direction: 'backward' }, ['x']);
    expect(codec.open({ ...binding, direction: 'forward' }, next)).toEqual(['x']);
    expect(codec.open({ ...binding, direction: 'backward' }, previous)).toEqual(['x']);
    expect(opening({ ...binding, direction: 'backward' }, next)).toEqual(refused);
    expect(opening(binding, previous)).toEqual(refused);
  });

  it('refuses a cursor of another list, other filters or another caller', () => {
    const same = (a: CursorBinding, b: CursorBinding) => {
      const entries = ({ filters }: CursorBinding) => Object.entries(filters).sort(([x], [y]) => (x < y ? -1 : 1));
      return JSON.stringify([a.list, entries(a), a.caller]) === JSON.stringify([b.list, entries(b), b.caller]);
    };
    fc.assert(
      fc.property(anyBinding, anyBinding, position, (one, other, at) => {
        fc.pre(!same(one, other));
        expect(opening(other, codec.seal(one, at))).toEqual(refused);
      }),
    );
    const cursor = codec.seal(binding, ['x']);
    for (const other of [
      { ...binding, list: 'users' },
      { ...binding, filters: {} },
      { ...binding, filters: { name: 'b' } },
      { ...binding, filters: { name: 'a', source: '' } },
      { ...binding, caller: { issuerId: 'local', subject: 'bob' } },
      { ...binding, caller: { issuerId: 'other', subject: 'alice' } },
      { ...binding, caller: { issuerId: 'localalice', subject: '' } },
    ])
      expect(opening(other, cursor)).toEqual(refused);
  });

  it('refuses a changed, shortened or extended cursor', () => {
    fc.assert(
      fc.property(position, fc.constantFrom('A', 'z', '0', '-', '_'), (at, letter) => {
        const cursor = codec.seal(binding, at);
        for (let index = 0; index < cursor.length; index += 1) {
          const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
          if (changed !== cursor) expect(opening(binding, changed)).toEqual(refused);
          expect(opening(binding, cursor.slice(0, index))).toEqual(refused);
        }
        for (const longer of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}\n`, cursor + cursor])
          expect(opening(binding, longer)).toEqual(refused);
      }),
      { numRuns: 20 * effort },
    );
  });

  it('refuses arbitrary texts and cursors of another key', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (guess) => {
        expect(opening(binding, guess)).toEqual(refused);
      }),
    );
    expect(opening(binding, 'A'.repeat(100_000))).toEqual(refused);
    expect(opening(binding, new CursorCodec('k'.repeat(32)).seal(binding, ['x']))).toEqual(refused);
  });

  it('creates no cursor that is longer than it accepts', () => {
    const longest = ['x'.repeat(1500)];
    expect(codec.open(binding, codec.seal(binding, longest))).toEqual(longest);
    expect(() => codec.seal(binding, ['x'.repeat(1600)])).toThrow(RangeError);
  });

  it('requires a key of at least 32 bytes', () => {
    expect(() => new CursorCodec('k'.repeat(31))).toThrow('at least 32 bytes');
  });
});
