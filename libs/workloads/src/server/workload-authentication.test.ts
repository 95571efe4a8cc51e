import { expect, it } from '@jest/globals';
import type { RunConfig } from '../configuration/run-config.ts';
import { createAuthenticationOptions } from './workload-authentication.ts';

it.each([
  ['no client', { Audience: 'mcp' }, undefined, false],
  ['another client', { Audience: 'mcp', ClientID: 'other' }, undefined, false],
  ['a client alone', { ClientID: 'mcp' }, undefined, false],
  ['the audience as client', { Audience: 'mcp', ClientID: 'mcp' }, undefined, true],
  ['an exchange of ID tokens', { Audience: 'mcp' }, { subject_token_type: 'id_token' }, true],
])('decides about ID tokens with %s', (_, oidc, exchange, isAccepted) => {
  const config = { oidc_config: { Issuer: 'https://id.test', ...oidc }, token_exchange_config: exchange };
  const parts = { clientSecrets: {}, certificates: undefined };
  const { authentication } = createAuthenticationOptions(config as unknown as RunConfig, parts);
  expect(authentication).toMatchObject({ acceptsIdTokens: isAccepted });
});
