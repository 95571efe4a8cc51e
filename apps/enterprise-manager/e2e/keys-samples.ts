import type { Sample } from '@gatehouse/testing/contract-runner';
import { createHash } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** The response of creation and rotation. */
export interface MadeKey {
  key: { id: string; status: string; name: string };
  secret: string;
}

/** The hash of a secret that a gateway sends. */
export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Creates a key. @param token of its owner; default alice */
export async function makeKey(
  { client, tokens }: TestManager,
  token = tokens.alice,
  body: object = {},
): Promise<MadeKey> {
  const response = await client.call<MadeKey>('POST /v1/keys', { token, body });
  if (response.status !== 201) throw new Error(`the key was not created: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Valid calls of the operations on keys. @param running returns the service at each call */
export function createKeySamples(running: () => TestManager): Record<string, Sample> {
  // Fuzzing creates a key with each request and would reach the limit of keys.
  const revokeOldKeys = () =>
    running().sql(
      `UPDATE virtual_keys SET revoked_at = now() WHERE revoked_at IS NULL
         AND id NOT IN (SELECT id FROM virtual_keys WHERE revoked_at IS NULL ORDER BY created_at DESC LIMIT 20)`,
    );
  /** Creates a key of alice, the user of the contract runner. */
  const createOwnKey = async () => {
    await revokeOldKeys();
    return (await makeKey(running())).key.id;
  };
  const ownKey: Sample = async () => ({ path: { id: await createOwnKey() } });
  const disabledKey: Sample = async () => {
    const path = { id: await createOwnKey() };
    await running().client.call('POST /v1/keys/{id}/disable', { token: running().tokens.alice, path });
    return { path };
  };
  const userKey = async () => ({ path: { id: await running().findUserId('alice'), key_id: await createOwnKey() } });
  return {
    'GET /v1/keys': () => ({}),
    'POST /v1/keys': async () => {
      await revokeOldKeys();
      return { body: { name: 'A sample', metadata: { team: 'one' }, ttl_seconds: 3_600 } };
    },
    'GET /v1/keys/{id}': ownKey,
    'DELETE /v1/keys/{id}': ownKey,
    'POST /v1/keys/{id}/disable': ownKey,
    'POST /v1/keys/{id}/enable': disabledKey,
    'POST /v1/keys/{id}/rotate': ownKey,
    'GET /v1/users/{id}/keys': async () => ({ path: { id: await running().findUserId('alice') } }),
    'POST /v1/users/{id}/keys/{key_id}/disable': userKey,
    'POST /v1/users/{id}/keys/{key_id}/enable': async () => {
      const call = await userKey();
      await running().client.call('POST /v1/users/{id}/keys/{key_id}/disable', {
        token: running().tokens.admin,
        ...call,
      });
      return call;
    },
    'POST /gateway/v1/keys/resolve': async () => {
      await revokeOldKeys();
      return { body: { secret_sha256: sha256((await makeKey(running())).secret) } };
    },
    'GET /gateway/v1/keys/changes': () => ({ query: { wait: 0 } }),
    'GET /gateway/v1/people/changes': () => ({ query: { after: 0, wait: 0 } }),
  };
}
