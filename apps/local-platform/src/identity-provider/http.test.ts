import { expect, it } from '@jest/globals';
import { comparedPath } from './http.ts';

it.each([
  ['/reg', '/reg'],
  ['/REG/?x=/y', '/reg'],
  ['http://127.0.0.1:8090/Reg?x', '/reg'],
  ['/session/end/confirm/', '/session/end/confirm'],
  ['/', '/'],
  [undefined, '/'],
  ['*', '/'],
])('comparedPath of %s is %s', (target, expected) => {
  expect(comparedPath(target)).toBe(expected);
});
