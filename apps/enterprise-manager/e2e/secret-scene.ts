import { randomUUID } from 'node:crypto';
import { makeAvailable, type Connector } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A managed secret in responses. */
export interface Secret {
  id: string;
  name: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Creates a secret with a unique name. */
export async function makeSecret(
  manager: TestManager,
  value = `value ${randomUUID()}`,
  name?: string,
): Promise<Secret> {
  const response = await manager.client.call<Secret>('POST /v1/managed-secrets', {
    token: manager.tokens.admin,
    body: { name: name ?? `Secret ${randomUUID()}`, value },
  });
  if (response.status !== 201) throw new Error(`the secret was not created: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** The authentication of a connector that sends a secret as its bearer token. */
export const bearer = (secretId: string) => ({
  auth: { type: 'bearerToken', bearer_token: { token: { managed_secret_id: secretId } } },
});

/** The authentication of a connector that sends a secret in a header. */
export const header = (name: string, secretId: string) => ({
  auth: { type: 'headerInjection', header_injection: { header_name: name, value: { managed_secret_id: secretId } } },
});

/** Creates an available connector that uses a secret. */
export const makeUser = (manager: TestManager, secretId: string): Promise<Connector> =>
  makeAvailable(manager, bearer(secretId));

/** Requests the value of a secret with a gateway token. */
export const reveal = (manager: TestManager, id: string, gatewayId = 'local') =>
  manager.client.call<{ value: string; version: number; error?: string }>(
    'POST /gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal',
    { token: manager.tokens.gateway, path: { gateway_id: gatewayId, id } },
  );
