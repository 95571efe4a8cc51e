import { randomUUID } from 'node:crypto';
import { ageNextKey } from './config-samples.ts';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import { alertsOperations } from './crash-alerts-operations.ts';
import { discoveredServersOperations } from './crash-discovered-servers-operations.ts';
import { connectorOperations } from './crash-connector-operations.ts';
import { budgetsOperations } from './crash-budgets-operations.ts';
import { moneyOperations } from './crash-money-operations.ts';
import { policiesOperations } from './crash-policies-operations.ts';
import { provisionedUser, scimOperations } from './crash-scim-operations.ts';
import type { TestManager } from './enterprise-manager.ts';

const createGroup = (manager: TestManager) =>
  sendRequest(manager, 'POST', '/v1/groups', { display_name: `Crash ${randomUUID()}` });

const groups: CrashOperation[] = [
  {
    name: 'create group',
    prepare: (manager) => {
      const display_name = `Crash ${randomUUID()}`;
      return Promise.resolve({
        request: adminRequest(manager, 'POST', '/v1/groups', { display_name }),
        effects: () =>
          readFlags(manager, 'EXISTS (SELECT FROM groups WHERE display_name = $1) AS made', [display_name]),
      });
    },
  },
  {
    name: 'patch group',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      const display_name = `Crashed ${randomUUID()}`;
      return {
        request: adminRequest(manager, 'PATCH', `/v1/groups/${id}`, { display_name }),
        effects: () =>
          readFlags(manager, 'display_name = $2 AS named, version = 2 AS counted FROM groups WHERE id = $1', [
            id,
            display_name,
          ]),
      };
    },
  },
  {
    name: 'delete group',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      await sendRequest(manager, 'PUT', `/v1/groups/${id}/users/${await manager.findUserId('alice')}`);
      return {
        request: adminRequest(manager, 'DELETE', `/v1/groups/${id}`),
        effects: () =>
          readFlags(
            manager,
            'NOT EXISTS (SELECT FROM groups WHERE id = $1) AS gone, NOT EXISTS (SELECT FROM group_users WHERE group_id = $1) AS emptied',
            [id],
          ),
      };
    },
  },
  {
    name: 'add user to group',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      const user = await manager.findUserId('alice');
      return {
        request: adminRequest(manager, 'PUT', `/v1/groups/${id}/users/${user}`),
        effects: () =>
          readFlags(
            manager,
            'EXISTS (SELECT FROM group_users WHERE group_id = $1 AND user_id = $2) AS member, (SELECT version = 2 FROM groups WHERE id = $1) AS counted',
            [id, user],
          ),
      };
    },
  },
  {
    name: 'remove user from group',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      const user = await manager.findUserId('alice');
      await sendRequest(manager, 'PUT', `/v1/groups/${id}/users/${user}`);
      return {
        request: adminRequest(manager, 'DELETE', `/v1/groups/${id}/users/${user}`),
        effects: () =>
          readFlags(
            manager,
            'NOT EXISTS (SELECT FROM group_users WHERE group_id = $1 AND user_id = $2) AS gone, (SELECT version = 3 FROM groups WHERE id = $1) AS counted',
            [id, user],
          ),
      };
    },
  },
  {
    name: 'add subgroup',
    lock: 'graph of groups',
    prepare: async (manager) => {
      const [{ id }, { id: child }] = [await createGroup(manager), await createGroup(manager)];
      return {
        request: adminRequest(manager, 'PUT', `/v1/groups/${id}/subgroups/${child}`),
        effects: () =>
          readFlags(
            manager,
            'EXISTS (SELECT FROM group_subgroups WHERE parent_id = $1 AND child_id = $2) AS nested, (SELECT version = 2 FROM groups WHERE id = $1) AS counted',
            [id, child],
          ),
      };
    },
  },
  {
    name: 'remove subgroup',
    lock: 'graph of groups',
    prepare: async (manager) => {
      const [{ id }, { id: child }] = [await createGroup(manager), await createGroup(manager)];
      await sendRequest(manager, 'PUT', `/v1/groups/${id}/subgroups/${child}`);
      return {
        request: adminRequest(manager, 'DELETE', `/v1/groups/${id}/subgroups/${child}`),
        effects: () =>
          readFlags(
            manager,
            'NOT EXISTS (SELECT FROM group_subgroups WHERE parent_id = $1) AS gone, (SELECT version = 3 FROM groups WHERE id = $1) AS counted',
            [id],
          ),
      };
    },
  },
  {
    name: 'put group metadata',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      const note = randomUUID();
      return {
        request: adminRequest(manager, 'PUT', `/v1/groups/${id}/metadata`, { note }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM group_metadata WHERE group_id = $1 AND metadata::jsonb = jsonb_build_object('note', $2::text)) AS noted`,
            [id, note],
          ),
      };
    },
  },
  {
    name: 'delete group metadata',
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      await sendRequest(manager, 'PUT', `/v1/groups/${id}/metadata`, { note: 'before' });
      return {
        request: adminRequest(manager, 'DELETE', `/v1/groups/${id}/metadata`),
        effects: () => readFlags(manager, 'NOT EXISTS (SELECT FROM group_metadata WHERE group_id = $1) AS gone', [id]),
      };
    },
  },
  {
    name: 'put user metadata',
    prepare: async (manager) => {
      const [id, note] = [await provisionedUser(manager), randomUUID()];
      return {
        request: adminRequest(manager, 'PUT', `/v1/users/${id}/metadata`, { note }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM user_metadata WHERE user_id = $1 AND metadata::jsonb = jsonb_build_object('note', $2::text)) AS noted`,
            [id, note],
          ),
      };
    },
  },
];

/**
 * Creates a user. Each key belongs to another user, because writes to the keys of one user wait for
 * each other.
 */
async function createUser(manager: TestManager) {
  const [subject, issuer] = [`crash-${randomUUID()}`, manager.issuer.issuer];
  const [row] = await manager.sql<{ id: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $2, $2, $2, 'config', TRUE, $2, now(), now()) RETURNING id`,
    [issuer, subject],
  );
  return { token: await manager.issuer.token({ subject }), userId: row!.id };
}

/** Creates a key of a new user. */
async function createKey(manager: TestManager) {
  const owner = await createUser(manager);
  const { key } = await sendRequest(manager, 'POST', '/v1/keys', {}, owner.token);
  const [row] = await manager.sql<{ secret_hash: Buffer }>('SELECT secret_hash FROM virtual_keys WHERE id = $1', [
    key.id,
  ]);
  return { ...owner, id: key.id, hash: row?.secret_hash };
}

const keys: CrashOperation[] = [
  {
    name: 'create key',
    prepare: async (manager) => {
      const { token, userId } = await createUser(manager);
      return {
        request: { method: 'POST', path: '/v1/keys', token, body: {} },
        effects: () => readFlags(manager, 'EXISTS (SELECT FROM virtual_keys WHERE user_id = $1) AS made', [userId]),
      };
    },
  },
  {
    name: 'rotate key',
    prepare: async (manager) => {
      const { id, hash, token } = await createKey(manager);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/rotate`, token },
        effects: () =>
          readFlags(
            manager,
            'secret_hash <> $2 AS renewed, previous_hash IS NOT DISTINCT FROM $2 AS kept, previous_valid_until IS NOT NULL AS dated FROM virtual_keys WHERE id = $1',
            [id, hash],
          ),
      };
    },
  },
  {
    name: 'disable key',
    prepare: async (manager) => {
      const { id, token } = await createKey(manager);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/disable`, token },
        effects: () => readFlags(manager, 'disabled_by_owner AS disabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'enable key',
    prepare: async (manager) => {
      const { id, token } = await createKey(manager);
      await sendRequest(manager, 'POST', `/v1/keys/${id}/disable`, undefined, token);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/enable`, token },
        effects: () => readFlags(manager, 'NOT disabled_by_owner AS enabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'disable key of a user',
    prepare: async (manager) => {
      const { id, userId } = await createKey(manager);
      return {
        request: adminRequest(manager, 'POST', `/v1/users/${userId}/keys/${id}/disable`),
        effects: () =>
          readFlags(manager, 'disabled_by_administrator AS disabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'enable key of a user',
    prepare: async (manager) => {
      const { id, userId } = await createKey(manager);
      const path = `/v1/users/${userId}/keys/${id}`;
      await sendRequest(manager, 'POST', `${path}/disable`);
      return {
        request: adminRequest(manager, 'POST', `${path}/enable`),
        effects: () =>
          readFlags(manager, 'NOT disabled_by_administrator AS enabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'revoke key',
    prepare: async (manager) => {
      const { id, token } = await createKey(manager);
      return {
        request: { method: 'DELETE', path: `/v1/keys/${id}`, token },
        effects: () => readFlags(manager, 'revoked_at IS NOT NULL AS revoked FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
];

const createSecret = (manager: TestManager, name = `Crash ${randomUUID()}`) =>
  sendRequest(manager, 'POST', '/v1/managed-secrets', { name, value: 'before' });

const secrets: CrashOperation[] = [
  {
    name: 'create secret',
    prepare: (manager) => {
      const name = `Crash ${randomUUID()}`;
      return Promise.resolve({
        request: adminRequest(manager, 'POST', '/v1/managed-secrets', { name, value: 'after' }),
        effects: () => readFlags(manager, 'EXISTS (SELECT FROM managed_secrets WHERE name = $1) AS made', [name]),
      });
    },
  },
  {
    name: 'rotate secret',
    prepare: async (manager) => {
      const { id } = await createSecret(manager);
      const [row] = await manager.sql<{ ciphertext: Buffer; wrapped_key: Buffer }>(
        'SELECT ciphertext, wrapped_key FROM managed_secrets WHERE id = $1',
        [id],
      );
      return {
        request: adminRequest(manager, 'PUT', `/v1/managed-secrets/${id}`, { value: 'after' }),
        effects: () =>
          readFlags(
            manager,
            'version = 2 AS counted, ciphertext <> $2 AS sealed, wrapped_key <> $3 AS wrapped FROM managed_secrets WHERE id = $1',
            [id, row?.ciphertext, row?.wrapped_key],
          ),
      };
    },
  },
  {
    name: 'delete secret',
    prepare: async (manager) => {
      const { id } = await createSecret(manager);
      return {
        request: adminRequest(manager, 'DELETE', `/v1/managed-secrets/${id}`),
        effects: () => readFlags(manager, 'NOT EXISTS (SELECT FROM managed_secrets WHERE id = $1) AS gone', [id]),
      };
    },
  },
];

const configuration: CrashOperation[] = [
  {
    name: 'put client configuration',
    lock: 'client configuration',
    isExclusive: true,
    prepare: async (manager) => {
      const { id } = await createGroup(manager);
      const playground = { value: true, enforcement: 'enforced' };
      const build_env = { MARK: randomUUID() };
      return {
        request: adminRequest(manager, 'PUT', '/v1/client-config', {
          config: { build_env },
          overrides: [{ group_id: id, precedence: 1, config: { playground } }],
        }),
        effects: () =>
          readFlags(
            manager,
            `(SELECT config -> 'build_env' ->> 'MARK' = $1 FROM client_config) IS TRUE AS base, EXISTS (SELECT FROM client_config_overrides WHERE group_id = $2) AS overridden`,
            [build_env.MARK, id],
          ),
      };
    },
  },
  {
    name: 'rotate signing keys',
    lock: 'signing keys',
    isExclusive: true,
    prepare: async (manager) => {
      await ageNextKey(manager);
      const kid = async (state: string) =>
        (await manager.sql<{ kid: string }>('SELECT kid FROM signing_keys WHERE state = $1', [state]))[0]?.kid;
      const [current, next] = [await kid('current'), await kid('next')];
      return {
        request: adminRequest(manager, 'POST', '/v1/signing-keys/rotate'),
        effects: async () => ({
          signs: (await kid('current')) === next,
          retired: (await kid('current')) !== current,
          announced: (await kid('next')) !== next,
        }),
      };
    },
  },
];

/** Starts the rewrapping of all stored values, which continues in the background. */
const rewrapping: CrashOperation = {
  name: 'rewrap stored values',
  endsWithCommit: true,
  prepare: (manager) =>
    Promise.resolve({
      request: adminRequest(manager, 'POST', '/v1/key-encryption/rewrap'),
      effects: () => Promise.resolve({}),
    }),
};

/**
 * All kinds of writes of the crash tests. Writes that run one at a time come first, so that the
 * test does not wait for them at the end. Writes that start background work come last.
 */
export const crashOperations: CrashOperation[] = [
  ...configuration,
  ...groups,
  ...keys,
  ...secrets,
  ...connectorOperations,
  ...scimOperations,
  ...budgetsOperations,
  ...moneyOperations,
  ...alertsOperations,
  ...discoveredServersOperations,
  ...policiesOperations,
  rewrapping,
];
