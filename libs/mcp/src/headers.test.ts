import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue, getMirroredName } from './headers.ts';

describe('header values', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('encode %j as %j', (value, encoded) => {
    expect(encodeHeaderValue(value)).toBe(encoded);
    expect(decodeHeaderValue(encoded)).toBe(value);
  });

  it('encode any text with the characters of a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const encoded = encodeHeaderValue(value);
        expect(encoded).toMatch(/^[\x20-\x7e]+$/);
        expect(decodeHeaderValue(encoded)).toBe(value);
      }),
    );
  });

  it('are refused when the base64 form is not canonical', () => {
    for (const value of [
      '=?base64?YQ?=',
      '=?base64?YR==?=',
      '=?base64?Y Q==?=',
      '=?base64?/w==?=',
      '=?base64?YQ==\t?=',
    ]) {
      expect(decodeHeaderValue(value)).toBeUndefined();
    }
  });

  it('come from the member that belongs to the method', () => {
    expect(getMirroredName('resources/read', { uri: 'file:///a', name: 'b' })).toBe('file:///a');
    expect(getMirroredName('tools/call', { uri: 'file:///a', name: 'b' })).toBe('b');
    expect(getMirroredName('tools/list', { name: 'b' })).toBeUndefined();
    expect(getMirroredName('tools/call', { name: 1 })).toBeUndefined();
  });
});
