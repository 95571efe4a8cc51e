import { describe, expect, it } from '@jest/globals';
import { toModernResponse } from './eras.ts';
import { isPrepared, prepareResult, stringifyMessage } from './prepared-results.ts';

const createResponse = (id: string | number, result: object) => ({
  jsonrpc: '2.0' as const,
  id,
  result: result as Record<string, unknown>,
});

describe('a prepared result', () => {
  it('has the same JSON as without preparation, for every id', () => {
    const content = { tools: [{ name: 'ä "quoted" \u2028', description: undefined }] };
    const result = prepareResult({ ...content });
    for (const id of [1, 'text', '"\\'])
      for (const message of [createResponse(id, result), createResponse(id, result)])
        expect(JSON.parse(stringifyMessage(message))).toEqual(JSON.parse(JSON.stringify(createResponse(id, content))));
  });

  it('is translated to the modern era once', () => {
    const result = prepareResult({ tools: [] });
    const server = { name: 'gateway', version: '1' };
    const [one, other] = [1, 2].map((id) => toModernResponse('tools/list', createResponse(id, result), server));
    expect(one).toEqual({ ...toModernResponse('tools/list', createResponse(1, { tools: [] }), server) });
    expect(one).toMatchObject({ id: 1 });
    expect(other).toMatchObject({ id: 2 });
    expect('result' in one! && 'result' in other! && one.result === other.result && isPrepared(one.result)).toBe(true);
  });
});

describe('stringifyMessage', () => {
  it('writes errors and requests as they are', () => {
    const error = { jsonrpc: '2.0' as const, id: 1, error: { code: -32600, message: 'no' } };
    expect(stringifyMessage(error)).toBe(JSON.stringify(error));
    const request = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };
    expect(stringifyMessage(request)).toBe(JSON.stringify(request));
  });
});
