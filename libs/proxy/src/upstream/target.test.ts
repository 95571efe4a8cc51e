import { describe, expect, it } from '@jest/globals';
import { parseTarget } from './target.ts';

describe('parseTarget', () => {
  it.each([
    ['http://h:1', '/mcp?a=%2F', '/mcp?a=%2F'],
    ['http://h:1/', '//evil.example/x', '//evil.example/x'],
    ['http://h:1/v1', '/mcp', '/v1'],
    ['http://h:1/v1', '/mcp?b=2', '/v1?b=2'],
    ['http://h:1/v1?a=%20', '/mcp', '/v1?a=%20'],
    ['http://h:1/v1?a=1', '/mcp?b=%zz', '/v1?a=1&b=%zz'],
    ['http://h:1/?a=1', '/mcp?b=2', '/mcp?a=1&b=2'],
    ['http://h:1/v1#fragment', '/mcp', '/v1'],
  ])('joins %s and %s to %s', (url, requested, path) => {
    expect(parseTarget(url).getPath(requested)).toBe(path);
  });

  it('marks a URL with a path as remote', () => {
    expect(parseTarget('http://127.0.0.1:8080').remote).toBe(false);
    expect(parseTarget('https://example.com/mcp').remote).toBe(true);
  });
});
