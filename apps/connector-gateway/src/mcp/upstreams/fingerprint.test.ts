import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serializeCanonicalJson, computeDefinitionVersion, computeFingerprint } from './fingerprint.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, member] of Object.entries(value).reverse()) copy[key] = shuffled(member);
  return copy;
}

describe('fingerprint', () => {
  it('follows the sorting and number examples of RFC 8785', () => {
    expect(serializeCanonicalJson({ '\u20ac': 1, '\r': 2, '1': 3, '\ud83d\ude00': 4, '\ufb33': 5 })).toBe(
      '{"\\r":2,"1":3,"€":1,"😀":4,"\ufb33":5}',
    );
    expect(serializeCanonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(computeFingerprint(shuffled(value))).toBe(computeFingerprint(value));
      }),
    );
  });

  it('stays the same after serialization and parsing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(serializeCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('changes when a description changes', () => {
    const tool = { name: 'a', inputSchema: { type: 'object' } };
    expect(computeDefinitionVersion({ ...tool, description: 'x' })).not.toBe(
      computeDefinitionVersion({ ...tool, description: 'y' }),
    );
    expect(computeDefinitionVersion(tool)).toMatch(/^[0-9a-f]{12}$/);
  });
});
