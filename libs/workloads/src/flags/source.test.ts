import { expect, it } from '@jest/globals';
import { classifySource } from './source.ts';

it.each([
  ['ftp://host/mcp?key=hidden', "'ftp://host/mcp?…' has the scheme ftp://, which run does not support"],
  ['https//host/mcp?key=hidden\nmore', "'https//host/mcp?…' is not a valid container image reference"],
])('refuses %j without its query', (argument, sentence) => {
  expect(() => classifySource(argument)).toThrow(sentence);
});
