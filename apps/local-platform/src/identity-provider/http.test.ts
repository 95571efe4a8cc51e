import { expect, it } from '@jest/globals';
import { normalizePath } from './http.ts';

it.each([
  ['/reg', '/reg'],
  ['/REG/?x=/y', '/reg'],
  ['http://127.0.0.1:8090/Reg?x', '/reg'],
  ['/session/end/confirm/', '/session/end/confirm'],
  ['/', '/'],
  [undefined, '/'],
  ['*', '/'],
])('normalizePath of %s is %s', (target, expected) => {
  expect(normalizePath(target)).toBe(expected);
});
