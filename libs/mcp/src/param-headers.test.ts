import { describe, expect, it } from '@jest/globals';
import { createParamHeaders } from './param-headers.ts';

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
