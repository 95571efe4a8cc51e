import { randomUUID } from 'node:crypto';
import { makeAvailable, type Connector } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A managed secret as the API shows it. */
export interface Secret {
  id: string;
  name: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Makes a secret with a name of its own. */
export async function makeSecret(
  manager: TestManager,
  value = `value ${randomUUID()}`,
  name?: string,
): Promise<Secret> {
  const answer = await manager.client.call<Secret>('POST /v1/managed-secrets', {
    token: manager.tokens.admin,
    body: { name: name ?? `Secret ${randomUUID()}`, value },
  });
  if (answer.status !== 201) throw new Error(`no secret: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The authentication of a connector that sends a secret as its bearer token. */
export const bearer = (secretId: string) => ({
  auth: { type: 'bearerToken', bearer_token: { token: { managed_secret_id: secretId } } },
});

/** The authentication of a connector that sends a secret in a header. */
export const header = (name: string, secretId: string) => ({
  auth: { type: 'headerInjection', header_injection: { header_name: name, value: { managed_secret_id: secretId } } },
});

/** An available connector that uses a secret. */
export const makeUser = (manager: TestManager, secretId: string): Promise<Connector> =>
  makeAvailable(manager, bearer(secretId));

/** Asks for a secret as a gateway does. */
export const reveal = (manager: TestManager, id: string, gatewayId = 'local') =>
  manager.client.call<{ value: string; version: number; error?: string }>(
    'POST /gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal',
    { token: manager.tokens.gateway, path: { gateway_id: gatewayId, id } },
  );
