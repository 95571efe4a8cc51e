import { describe, expect, it } from '@jest/globals';
import { headerProblem } from './managed-secret.ts';

describe('a value for a header', () => {
  it.each([
    ['sk-1.2_3~x+/=', 'bearer', undefined],
    ['Basic YTpi', 'header', undefined],
    ['token\n', 'bearer', /newline/],
    [' token', 'header', /blank/],
    ['a\r\nx-admin: 1', 'header', /cannot carry/],
    ['a\u0000', 'header', /cannot carry/],
    ['größe', 'header', /cannot carry/],
    ['two words', 'bearer', /cannot carry/],
    ['Bearer token', 'bearer', /begins with "Bearer"/],
  ] as const)('%j as %s', (value, use, problem) => {
    const found = headerProblem(value, use);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });
});
