import { expect, it } from '@jest/globals';
import { isRefusedUser } from './image-user.ts';

it.each(['', '0', '00', '0:0', 'root', 'node', 'node:1000', '-1', '1x', '0:1000'])(
  'a pod refuses an image with the user "%s"',
  (user) => expect(isRefusedUser(user)).toBe(true),
);

it.each(['1', '1000', '10001:10001', '65534:node', '010'])('a pod runs an image with the user %s', (user) =>
  expect(isRefusedUser(user)).toBe(false),
);
