import { expect, it } from '@jest/globals';
import { createExposureWarning } from './exposure.ts';

it.each([
  ['127.0.0.1', false, undefined],
  ['0.0.0.0', false, /can call the server without a sign-in\. /],
  ['0.0.0.0', true, /can call the proxy, which accepts callers with a token only\. /],
] as const)('warns of a proxy on %s, with tokens: %s', (address, needsToken, expected) => {
  const warning = createExposureWarning(address, address, needsToken, undefined);
  if (expected === undefined) expect(warning).toBeUndefined();
  else expect(warning).toMatch(expected);
});
