import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from './model-request.ts';
import { SERVED_FORMATS } from './served-formats.ts';

const read = (path: string, text: string) =>
  SERVED_FORMATS.byPath.get(path)?.readRequest({
    bytes: Buffer.from(text),
    body: JSON.parse(text) as JsonObject,
    pathModel: undefined,
    query: new URLSearchParams(),
  });

describe('a request with a member in another case', () => {
  it.each([
    ['/v1/chat/completions', 'Model', '"o1-pro"', 'model'],
    ['/v1/chat/completions', 'N', '100', 'n'],
    ['/v1/chat/completions', '\u017ftream', 'true', 'stream'],
    ['/v1/chat/completions', 'max_to\u212aens', '9', 'max_tokens'],
    ['/v1/responses', 'BACKGROUND', 'true', 'background'],
    ['/v1/embeddings', '\\u004dodel', '"o1-pro"', 'model'],
    ['/v1/messages', 'Speed', '"fast"', 'speed'],
  ])('is refused, since some providers read it: %s %s', (path, name, value, field) => {
    const text = `{"model":"m","max_tokens":1,"messages":[],"input":"x","${name}":${value}}`;
    expect(() => read(path, text)).toThrow(
      expect.objectContaining({ failure: 'invalid_request', field, message: `Write '${field}' in lower case.` }),
    );
  });

  it('is refused in the options of a stream', () => {
    const text = '{"model":"m","messages":[],"stream":true,"stream_options":{"Include_Usage":false}}';
    expect(() => read('/v1/chat/completions', text)).toThrow(
      expect.objectContaining({ field: 'stream_options.include_usage' }),
    );
  });

  it('passes if the gateway does not read the member', () => {
    expect(read('/v1/chat/completions', '{"model":"m","messages":[],"topK":5,"__proto__":{}}')?.model).toBe('m');
  });
});
