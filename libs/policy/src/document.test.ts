import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { type ClaimMapping, STANDARD_CLAIMS } from './claims.ts';
import { DocumentError, examineDocument, parseDocument } from './document.ts';
import { compileGrants } from './grants.ts';
import { formatSchema } from './schema.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const checkDocument = (text: string, claims: ClaimMapping, connectorId = CONNECTOR) =>
  examineDocument(text, connectorId, claims).faults;

describe('a document', () => {
  it('passes strict validation if it was compiled from grants, with any ids', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 4 }),
        (connectorId, groupIds) => {
          const text = compileGrants(connectorId, groupIds);
          expect(checkDocument(text, STANDARD_CLAIMS, connectorId)).toEqual([]);
          expect([...parseDocument(text).keys()].sort()).toEqual(groupIds.map((id) => `grant-${id}`).sort());
        },
      ),
      { numRuns: 50 * effort },
    );
  });

  it.each([
    ['permit(principal, action, resource)', 1, 36],
    ['permit(principal, action, resource);\n\n  permit(principal, action, nonsense);', 3, 29],
    ['// é𝕏 comment\npermit(principal, action, resource) when { principal.claim_email == "x" };', 2, 44],
    ['permit(principal, action == Action::"fly", resource);', undefined, undefined],
    ['permit(principal in Team::"x", action, resource);', undefined, undefined],
    ['permit(principal, action, resource) when { context.ip == "x" };', 1, 44],
    ['permit(principal == ?principal, action, resource);', undefined, undefined],
    ['@id("a") permit(principal, action, resource);\n@id("a") forbid(principal, action, resource);', 2, 1],
  ])('is refused with the position: %j', (text, line, column) => {
    const faults = checkDocument(text, STANDARD_CLAIMS);
    expect(faults).not.toEqual([]);
    expect(faults[0]?.message).not.toBe('');
    if (line !== undefined) expect(faults[0]).toMatchObject({ line, column });
  });

  it('is refused with the position when it does not parse', () => {
    expect(() => parseDocument('permit(')).toThrow(DocumentError);
    expect(() => parseDocument('permit(')).toThrow(/^line 1, column 8: /);
  });

  it('names policies by annotation, or by their order', () => {
    const text = 'permit(principal, action, resource);\n@id("second") forbid(principal, action, resource);';
    expect([...parseDocument(text).keys()]).toEqual(['policy0', 'second']);
  });
});

describe('the schema', () => {
  it('contains a type for each mapped claim, and refuses claim names that cannot be attributes', () => {
    expect(formatSchema({ department: 'String', level: 'Long' })).toContain('claim_department?: String');
    expect(
      checkDocument(
        'permit(principal, action, resource) when { principal has claim_level && principal.claim_level > 3 };',
        {
          level: 'Long',
        },
      ),
    ).toEqual([]);
    expect(() => formatSchema({ 'a"; entity Evil': 'String' })).toThrow(/cannot be used in policies/);
  });

  it('does not depend on the order of the configured claims', () => {
    expect(formatSchema({ a: 'String', b: 'Bool' })).toBe(formatSchema({ b: 'Bool', a: 'String' }));
  });
});
