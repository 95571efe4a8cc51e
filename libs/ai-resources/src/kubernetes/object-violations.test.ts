import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatPointer } from '../json-pointer.ts';
import { listObjectViolations, toPointer } from './object-violations.ts';

describe('toPointer', () => {
  it.each<[string, unknown, string]>([
    ['spec.principalMatchers[0].claims', {}, '/spec/principalMatchers/0/claims'],
    ['metadata.name', undefined, '/metadata/name'],
    ['spec.roles[admin][1].claims', {}, '/spec/roles/admin/1/claims'],
    ['spec.claims.a.b.c', { spec: { claims: { a: '', 'a.b.c': '' } } }, '/spec/claims/a.b.c'],
    ['spec.claims.a.b[0]', { spec: { claims: { 'a.b': [''] } } }, '/spec/claims/a.b/0'],
    ['spec.claims.a/b~c', {}, '/spec/claims/a~1b~0c'],
    ['spec.__proto__.constructor', { spec: {} }, '/spec/__proto__/constructor'],
    ['spec.claims.', {}, '/spec/claims/'],
    ['', {}, ''],
  ])('turns %j of %j into %j', (field, object, pointer) => {
    expect(toPointer(field, object)).toBe(pointer);
  });

  it('finds each member of any object whose names have no brackets', () => {
    const anyName = fc.string({ minLength: 1, maxLength: 6 }).filter((name) => !/[[\].]/.test(name));
    const anyPath = fc.array(anyName, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyPath, (names) => {
        expect(toPointer(names.join('.'), undefined)).toBe(formatPointer(names));
      }),
    );
  });

  it('ends for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '[', ']', 'a', '') }), (field) => {
        expect(toPointer(field, { a: { '': { a: 1 } } })).toEqual(expect.any(String));
      }),
    );
  });
});

describe('listObjectViolations', () => {
  const readStatus = (message: string, causes: { field: string; message: string }[] = []) =>
    ({ kind: 'Status', message, details: { causes } }) as const;

  it('lists the causes, without the note about rules that were not checked', () => {
    const causes = [
      { field: 'spec.description', message: 'Too long' },
      { field: '<nil>', message: 'some validation rules were not checked' },
    ];
    expect(listObjectViolations(readStatus('is invalid', causes), {})).toEqual([
      { field: '/spec/description', message: 'Too long' },
    ]);
  });

  it('lists unknown and duplicate fields of a creation and of a patch', () => {
    const fields = 'strict decoding error: unknown field "spec.a", duplicate field "spec.b"';
    const expected = [
      { field: '/spec/a', message: 'is not a known field' },
      { field: '/spec/b', message: 'occurs twice' },
    ];
    expect(listObjectViolations(readStatus(`AIPolicy cannot be handled: ${fields}`), {})).toEqual(expected);
    const text = '{"spec":{"a":"strict decoding error: unknown field \\"spec.c\\""}}';
    const cause = { field: 'patch', message: `Invalid value: ${JSON.stringify(text)}: ${fields}` };
    expect(listObjectViolations(readStatus(`is invalid: ${cause.message}`, [cause]), {})).toEqual(expected);
  });

  it('shortens messages, and lists none for other refusals', () => {
    const [violation] = listObjectViolations(readStatus('', [{ field: 'spec', message: 'a'.repeat(9_999) }]), {});
    expect(violation?.message).toHaveLength(500);
    expect(listObjectViolations(readStatus('json: cannot unmarshal number'), {})).toEqual([]);
  });
});
