import { describe, expect, it } from '@jest/globals';
import { applyMergePatch } from '@gatehouse/ai-resources/merge-patch';
import { createMergePatch } from './merge-patch.ts';
import fc from 'fast-check';

describe('createMergePatch', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{ a: 1 }, { a: null }, { a: null }],
    [{}, { a: null }, {}],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    [{ a: { b: 1 } }, { a: { b: 1, c: null } }, {}],
    [{ a: 'text' }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  ])('from %j to %j is %j', (before, after, patch) => expect(createMergePatch(before, after)).toEqual(patch));

  it('creates patches that have the wanted result', () => {
    const { json } = fc.letrec<{ json: unknown; object: Record<string, unknown> }>((tie) => ({
      json: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), tie('object')),
      object: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.string()), tie('json')),
    }));
    const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json);
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        expect(applyMergePatch(before, createMergePatch(before, after))).toEqual(after);
      }),
    );
  });
});
