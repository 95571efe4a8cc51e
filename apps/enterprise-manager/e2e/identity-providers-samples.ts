import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';
import { makeProvider, oauth2 } from './identity-provider-scene.ts';

/** Valid calls of the operations on identity providers. */
export function createIdentityProviderSamples(running: () => TestManager): Record<string, Sample> {
  const createProvider = async () => ({ path: { id: (await makeProvider(running())).id } });
  return {
    'GET /v1/connector-identity-providers': () => ({}),
    'POST /v1/connector-identity-providers': () => ({ body: oauth2() }),
    'GET /v1/connector-identity-providers/{id}': createProvider,
    'PUT /v1/connector-identity-providers/{id}': async () => ({ ...(await createProvider()), body: oauth2() }),
    'DELETE /v1/connector-identity-providers/{id}': createProvider,
  };
}
