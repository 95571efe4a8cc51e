import { describe, expect, it } from '@jest/globals';
import { createParamHeaders, findParamMismatch } from './param-headers.ts';

const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const schema = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('createParamHeaders', () => {
  it('mirrors marked arguments at any depth', () => {
    const nested = schema({ region: marked('Region'), deep: schema({ on: marked('On', 'boolean') }), plain: {} });
    expect(createParamHeaders(nested, { region: 'eu', deep: { on: true }, plain: 'x' })).toEqual({
      'mcp-param-region': 'eu',
      'mcp-param-on': 'true',
    });
  });

  it('encodes values that a header cannot carry', () => {
    const value = createParamHeaders(schema({ a: marked('A') }), { a: ' é\r\nx: y' })['mcp-param-a'];
    expect(value).toMatch(/^=\?base64\?[A-Za-z0-9+/=]+\?=$/);
  });

  it('leaves out absent, compound and unsafe values', () => {
    const all = schema({ a: marked('A'), b: marked('B'), c: marked('C'), d: marked('D') });
    expect(createParamHeaders(all, { b: null, c: [1], d: 2 ** 60 })).toEqual({});
    expect(createParamHeaders(all, undefined)).toEqual({});
  });

  it('ignores names that are no header names, and values of the prototype', () => {
    const all = schema({ a: marked('a b'), b: marked('x:\r\ny'), c: marked(7), toString: marked('T') });
    expect(createParamHeaders(all, { a: '1', b: '2', c: '3' })).toEqual({});
    expect(createParamHeaders('no schema', { a: '1' })).toEqual({});
  });
});

describe('findParamMismatch', () => {
  const all = schema({ text: marked('Text'), deep: schema({ count: marked('Count', 'integer') }), on: marked('On') });
  const compare = (values: Record<string, unknown> | undefined, headers: Record<string, string>) =>
    findParamMismatch(all, values, (name) => headers[name]);

  it('accepts the headers that createParamHeaders makes', () => {
    for (const values of [{ text: 'eu', deep: { count: 7 }, on: false }, { text: ' é\n' }, { text: '' }, {}, undefined])
      expect(compare(values, createParamHeaders(all, values))).toBeUndefined();
  });

  it('compares numbers by their value', () => {
    expect(compare({ deep: { count: 7 } }, { 'mcp-param-count': '7.0' })).toBeUndefined();
    for (const text of ['8', '', 'seven'])
      expect(compare({ deep: { count: 7 } }, { 'mcp-param-count': text })).toBe('mcp-param-count');
  });

  it.each([
    ['another value', { text: 'eu' }, { 'mcp-param-text': 'us' }],
    ['another case', { text: 'eu' }, { 'mcp-param-text': 'EU' }],
    ['a missing header', { text: 'eu' }, {}],
    ['a header without an argument', {}, { 'mcp-param-text': 'eu' }],
    ['a header without arguments', undefined, { 'mcp-param-text': 'eu' }],
    ['a header for a compound value', { text: ['eu'] }, { 'mcp-param-text': 'eu' }],
    ['base64 without its padding', { text: 'Hello' }, { 'mcp-param-text': '=?base64?SGVsbG8?=' }],
    ['base64 of another alphabet', { text: 'Hello' }, { 'mcp-param-text': '=?base64?SGVs!!!bG8=?=' }],
  ])('names the header for %s', (_, values, headers) => {
    expect(compare(values, headers as Record<string, string>)).toBe('mcp-param-text');
  });

  it('takes values without the marks of base64 as they are', () => {
    expect(compare({ text: 'SGVsbG8=' }, { 'mcp-param-text': 'SGVsbG8=' })).toBeUndefined();
    expect(compare({ text: '=?base64?SGVsbG8=' }, { 'mcp-param-text': '=?base64?SGVsbG8=' })).toBeUndefined();
  });
});
