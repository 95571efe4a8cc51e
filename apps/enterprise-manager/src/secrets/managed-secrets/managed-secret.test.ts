import { describe, expect, it } from '@jest/globals';
import { findHeaderProblem } from './managed-secret.ts';

describe('findHeaderProblem', () => {
  it.each([
    ['sk-1.2_3~x+/=', 'bearer', undefined],
    ['Basic YTpi', 'header', undefined],
    ['token\n', 'bearer', /newline/],
    [' token', 'header', /space/],
    ['a\r\nx-admin: 1', 'header', /not allowed/],
    ['a\u0000', 'header', /not allowed/],
    ['größe', 'header', /not allowed/],
    ['two words', 'bearer', /not allowed/],
    ['Bearer token', 'bearer', /begins with "Bearer"/],
  ] as const)('checks %j as %s', (value, use, problem) => {
    const found = findHeaderProblem(value, use);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });
});
