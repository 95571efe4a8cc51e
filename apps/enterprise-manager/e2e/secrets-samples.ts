import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';
import { makeSecret, makeUser } from './secret-scene.ts';

/** A valid request for each operation on secrets. */
export function createSecretSamples(running: () => TestManager): Record<string, Sample> {
  const createSecretSample = async () => ({ path: { id: (await makeSecret(running())).id } });
  return {
    'GET /v1/managed-secrets': () => ({}),
    'POST /v1/managed-secrets': () => ({ body: { name: `Sample ${randomUUID()}`, value: 'a sample' } }),
    'GET /v1/managed-secrets/{id}': createSecretSample,
    'PUT /v1/managed-secrets/{id}': async () => ({
      ...(await createSecretSample()),
      body: { value: 'another sample' },
    }),
    'DELETE /v1/managed-secrets/{id}': createSecretSample,
    'GET /v1/key-encryption': () => ({}),
    'POST /v1/key-encryption/rewrap': () => ({}),
    'POST /gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal': async () => {
      const { id } = await makeSecret(running());
      await makeUser(running(), id);
      return { path: { gateway_id: 'local', id } };
    },
  };
}
