import type { Sample } from '@gatehouse/testing/contract-runner';
import { createHash } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** A key as it was answered, with its secret. */
export interface MadeKey {
  key: { id: string; status: string; name: string };
  secret: string;
}

/** What a gateway sends for a secret. */
export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Makes a key. @param token of its owner; default alice */
export async function makeKey(
  { client, tokens }: TestManager,
  token = tokens.alice,
  body: object = {},
): Promise<MadeKey> {
  const answer = await client.call<MadeKey>('POST /v1/keys', { token, body });
  if (answer.status !== 201) throw new Error(`no key was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Well-formed calls of the operations about virtual API keys. @param running asked when a call is made */
export function keySamplesOf(running: () => TestManager): Record<string, Sample> {
  // The limit of keys is for people, not for a fuzzer that makes one with each request.
  const room = () =>
    running().sql(
      `UPDATE virtual_keys SET revoked_at = now() WHERE revoked_at IS NULL
         AND id NOT IN (SELECT id FROM virtual_keys WHERE revoked_at IS NULL ORDER BY created_at DESC LIMIT 20)`,
    );
  /** A key of the persona that calls: the runner calls own operations as alice. */
  const own = async () => {
    await room();
    return (await makeKey(running())).key.id;
  };
  const ownKey: Sample = async () => ({ path: { id: await own() } });
  const disabledKey: Sample = async () => {
    const path = { id: await own() };
    await running().client.call('POST /v1/keys/{id}/disable', { token: running().tokens.alice, path });
    return { path };
  };
  const userKey = async () => ({ path: { id: await running().userId('alice'), key_id: await own() } });
  return {
    'GET /v1/keys': () => ({}),
    'POST /v1/keys': async () => {
      await room();
      return { body: { name: 'A sample', metadata: { team: 'one' }, ttl_seconds: 3_600 } };
    },
    'GET /v1/keys/{id}': ownKey,
    'DELETE /v1/keys/{id}': ownKey,
    'POST /v1/keys/{id}/disable': ownKey,
    'POST /v1/keys/{id}/enable': disabledKey,
    'POST /v1/keys/{id}/rotate': ownKey,
    'GET /v1/users/{id}/keys': async () => ({ path: { id: await running().userId('alice') } }),
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
      await room();
      return { body: { secret_sha256: sha256((await makeKey(running())).secret) } };
    },
    'GET /gateway/v1/keys/changes': () => ({ query: { wait: 0 } }),
    'GET /gateway/v1/people/changes': () => ({ query: { after: 0, wait: 0 } }),
  };
}
