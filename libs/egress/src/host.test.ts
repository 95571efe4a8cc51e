import { describe, expect, it } from '@jest/globals';
import { formatHost } from './host.ts';

describe('formatHost', () => {
  it.each([
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
  ])('formats %s as %s', (host, expected) => {
    expect(formatHost(host)).toBe(expected);
    expect(URL.canParse(`http://${formatHost(host)}:80`)).toBe(true);
  });
});
