import { describe, expect, it } from '@jest/globals';
import { RunConfigSchema } from '../configuration/run-config.ts';
import { getSecretVariable, listProxySecrets, sortProxySecrets } from './proxy-secrets.ts';

const HOOK = { name: 'check', url: 'https://hook.example/', failure_policy: 'fail' };
const config = RunConfigSchema.parse({
  ...{ name: 'web', image: 'owner/server' },
  oidc_config: { Issuer: 'https://id.example', ClientSecret: 'of-client,target=oidc' },
  mutating_webhooks: [{ ...HOOK, hmac_secret_ref: 'of-hook' }],
  validating_webhooks: [HOOK, { ...HOOK, hmac_secret_ref: 'of-check,target=X' }],
  telemetry_config: { headers: { 'X-Api!': 'of-header,target=X-Api!', other: 'of-other,target=other' } },
});

describe('the secrets of a proxy in a cluster', () => {
  it('have keys that a Secret can have, and come back to their uses', () => {
    const references = listProxySecrets(config);
    expect(references.map(({ target }) => target)).toEqual([
      ...['oidc', 'webhook_0', 'webhook_1', 'otel_header_0', 'otel_header_1'],
    ]);
    const variables = new Map(references.map(({ name, target }) => [getSecretVariable(target), `value ${name}`]));
    expect(sortProxySecrets(config, (variable) => variables.get(variable))).toEqual({
      clients: { oidc: 'value of-client' },
      webhooks: { WEBHOOK_0: 'value of-hook', WEBHOOK_1: 'value of-check' },
      headers: { 'X-Api!': 'value of-header', other: 'value of-other' },
    });
  });
});
