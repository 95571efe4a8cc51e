import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readMessage, readValue } from './json-rpc.ts';

const readKind = (value: unknown) => readMessage(JSON.stringify(value)).kind;
const readError = (text: string) => {
  const read = readMessage(text);
  return read.kind === 'invalid' ? read.error : undefined;
};

describe('readMessage', () => {
  it('distinguishes requests, notifications and responses', () => {
    expect(readKind({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBe('request');
    expect(readKind({ jsonrpc: '2.0', id: '', method: 'ping', params: {} })).toBe('request');
    expect(readKind({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe('notification');
    expect(readKind({ jsonrpc: '2.0', id: 1, result: {} })).toBe('response');
    expect(readKind({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })).toBe('response');
  });

  it('refuses every batch', () => {
    for (const text of ['[]', ' \n[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '[1', '[[]]']) {
      expect(readError(text)).toMatchObject({ error: { code: text === '[1' ? -32700 : -32600 } });
      expect(readError(text)).not.toHaveProperty('id');
    }
  });

  it.each([null, 1.5, 2 ** 53, true, {}, []])('refuses the id %p and omits it in the response', (id) => {
    const error = readError(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    expect(error?.error.code).toBe(-32600);
    expect(error).not.toHaveProperty('id');
  });

  it('returns the valid id of an invalid message', () => {
    expect(readError('{"id":7,"method":"ping"}')).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(readError('{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}')).toMatchObject({ id: 'a' });
    expect(readError('{"jsonrpc":"2.0","id":"a","method":""}')).toMatchObject({ id: 'a' });
  });

  it('refuses a message that is both a request and a response', () => {
    expect(readKind({ jsonrpc: '2.0', id: 1, method: 'ping', result: {} })).toBe('invalid');
    expect(readKind({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } })).toBe('invalid');
  });

  it('accepts an error without an id or with null', () => {
    const read = readMessage('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}');
    expect(read.kind).toBe('response');
    expect(read.kind === 'response' && 'id' in read.message).toBe(false);
  });

  it('drops unknown members', () => {
    const read = readMessage('{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","extra":1}');
    expect(read).toEqual({ kind: 'request', message: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  });

  it('refuses too deep nesting before parsing', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(readError(deep)).toMatchObject({ error: { code: -32600 } });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { a: `"${'['.repeat(1_000)}\\` } });
    expect(readMessage(text).kind).toBe('request');
  });

  it('never throws, and accepted messages are unchanged after a round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        for (const read of [readMessage(text), readValue(value)]) {
          if (read.kind !== 'invalid') expect(readMessage(JSON.stringify(read.message))).toEqual(read);
        }
      }),
    );
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.double()),
        method: fc.oneof(fc.string(), fc.integer()),
        params: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.integer())),
        result: fc.dictionary(fc.string(), fc.jsonValue()),
        error: fc.record({ code: fc.integer(), message: fc.string() }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, (value) => {
        const read = readMessage(JSON.stringify(value));
        if (read.kind === 'invalid') expect(read.error.id ?? '').not.toBeNull();
        else expect(readMessage(JSON.stringify(read.message))).toEqual(read);
      }),
    );
  });
});
