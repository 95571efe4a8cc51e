import { describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { readCredential } from './credential.ts';

function read(headers: IncomingHttpHeaders, query = '', rawHeaders = Object.entries(headers).flat() as string[]) {
  return readCredential({ headers, rawHeaders }, new URLSearchParams(query));
}

describe('the credential of a request', () => {
  it.each([
    [{ authorization: 'Bearer abc' }, ''],
    [{ authorization: 'bearer  abc ' }, ''],
    [{ 'x-api-key': 'abc' }, ''],
    [{ 'x-goog-api-key': 'abc' }, ''],
    [{}, 'key=abc'],
    [{ authorization: 'Bearer abc', 'x-api-key': 'abc' }, 'key=abc'],
  ])('is found in %j and %j', (headers, query) => {
    expect(read(headers, query)).toBe('abc');
  });

  it('is removed from the query', () => {
    const query = new URLSearchParams('alt=sse&key=abc');
    readCredential({ headers: {}, rawHeaders: [] }, query);
    expect(query.toString()).toBe('alt=sse');
  });

  it.each([
    [{ authorization: 'Bearer abc', 'x-api-key': 'def' }, '', undefined],
    [{ 'x-goog-api-key': 'abc' }, 'key=def', undefined],
    [{}, 'key=abc&key=def', undefined],
    [{ authorization: 'Bearer abc' }, '', ['Authorization', 'Bearer abc', 'authorization', 'Bearer def']],
    [{ 'x-api-key': 'abc, def' }, '', ['X-Api-Key', 'abc', 'x-api-key', 'def']],
  ])('must be one: %j, %j', (headers, query, raw) => {
    expect(() => read(headers, query, raw)).toThrow('several API keys');
  });

  it.each([
    [{}, ''],
    [{ authorization: 'Basic YTpi' }, ''],
    [{ 'x-api-key': '' }, 'key='],
  ])('is missing in %j and %j', (headers, query) => {
    expect(() => read(headers, query)).toThrow('No API key was provided');
  });
});
