import { randomUUID } from 'node:crypto';
import { ageNextKey } from './config-samples.ts';
import { admin, ask, type CrashOperation, make } from './crash-scene.ts';
import { alertsOperations } from './crash-alerts-operations.ts';
import { discoveryOperations } from './crash-discovery-operations.ts';
import { connectorOperations } from './crash-connector-operations.ts';
import { budgetsOperations } from './crash-budgets-operations.ts';
import { moneyOperations } from './crash-money-operations.ts';
import { policiesOperations } from './crash-policies-operations.ts';
import { provisionedUser, scimOperations } from './crash-scim-operations.ts';
import type { TestManager } from './enterprise-manager.ts';

const group = (manager: TestManager) => make(manager, 'POST', '/v1/groups', { display_name: `Crash ${randomUUID()}` });

const groups: CrashOperation[] = [
  {
    name: 'create group',
    prepare: (manager) => {
      const display_name = `Crash ${randomUUID()}`;
      return Promise.resolve({
        request: admin(manager, 'POST', '/v1/groups', { display_name }),
        effects: () => ask(manager, 'EXISTS (SELECT FROM groups WHERE display_name = $1) AS made', [display_name]),
      });
    },
  },
  {
    name: 'patch group',
    prepare: async (manager) => {
      const { id } = await group(manager);
      const display_name = `Crashed ${randomUUID()}`;
      return {
        request: admin(manager, 'PATCH', `/v1/groups/${id}`, { display_name }),
        effects: () =>
          ask(manager, 'display_name = $2 AS named, version = 2 AS counted FROM groups WHERE id = $1', [
            id,
            display_name,
          ]),
      };
    },
  },
  {
    name: 'delete group',
    prepare: async (manager) => {
      const { id } = await group(manager);
      await make(manager, 'PUT', `/v1/groups/${id}/users/${await manager.userId('alice')}`);
      return {
        request: admin(manager, 'DELETE', `/v1/groups/${id}`),
        effects: () =>
          ask(
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
      const { id } = await group(manager);
      const user = await manager.userId('alice');
      return {
        request: admin(manager, 'PUT', `/v1/groups/${id}/users/${user}`),
        effects: () =>
          ask(
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
      const { id } = await group(manager);
      const user = await manager.userId('alice');
      await make(manager, 'PUT', `/v1/groups/${id}/users/${user}`);
      return {
        request: admin(manager, 'DELETE', `/v1/groups/${id}/users/${user}`),
        effects: () =>
          ask(
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
      const [{ id }, { id: child }] = [await group(manager), await group(manager)];
      return {
        request: admin(manager, 'PUT', `/v1/groups/${id}/subgroups/${child}`),
        effects: () =>
          ask(
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
      const [{ id }, { id: child }] = [await group(manager), await group(manager)];
      await make(manager, 'PUT', `/v1/groups/${id}/subgroups/${child}`);
      return {
        request: admin(manager, 'DELETE', `/v1/groups/${id}/subgroups/${child}`),
        effects: () =>
          ask(
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
      const { id } = await group(manager);
      const note = randomUUID();
      return {
        request: admin(manager, 'PUT', `/v1/groups/${id}/metadata`, { note }),
        effects: () =>
          ask(
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
      const { id } = await group(manager);
      await make(manager, 'PUT', `/v1/groups/${id}/metadata`, { note: 'before' });
      return {
        request: admin(manager, 'DELETE', `/v1/groups/${id}/metadata`),
        effects: () => ask(manager, 'NOT EXISTS (SELECT FROM group_metadata WHERE group_id = $1) AS gone', [id]),
      };
    },
  },
  {
    name: 'put user metadata',
    prepare: async (manager) => {
      const [id, note] = [await provisionedUser(manager), randomUUID()];
      return {
        request: admin(manager, 'PUT', `/v1/users/${id}/metadata`, { note }),
        effects: () =>
          ask(
            manager,
            `EXISTS (SELECT FROM user_metadata WHERE user_id = $1 AND metadata::jsonb = jsonb_build_object('note', $2::text)) AS noted`,
            [id, note],
          ),
      };
    },
  },
];

/**
 * Somebody new in the directory: keys of one person wait for each other.
 * @returns their token and id
 */
async function person(manager: TestManager) {
  const [subject, issuer] = [`crash-${randomUUID()}`, manager.issuer.issuer];
  const [row] = await manager.sql<{ id: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $2, $2, $2, 'config', TRUE, $2, now(), now()) RETURNING id`,
    [issuer, subject],
  );
  return { token: await manager.issuer.token({ subject }), userId: row!.id };
}

/** A key of somebody and what it is now. */
async function keyOf(manager: TestManager) {
  const owner = await person(manager);
  const { key } = await make(manager, 'POST', '/v1/keys', {}, owner.token);
  const [row] = await manager.sql<{ secret_hash: Buffer }>('SELECT secret_hash FROM virtual_keys WHERE id = $1', [
    key.id,
  ]);
  return { ...owner, id: key.id, hash: row?.secret_hash };
}

const keys: CrashOperation[] = [
  {
    name: 'create key',
    prepare: async (manager) => {
      const { token, userId } = await person(manager);
      return {
        request: { method: 'POST', path: '/v1/keys', token, body: {} },
        effects: () => ask(manager, 'EXISTS (SELECT FROM virtual_keys WHERE user_id = $1) AS made', [userId]),
      };
    },
  },
  {
    name: 'rotate key',
    prepare: async (manager) => {
      const { id, hash, token } = await keyOf(manager);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/rotate`, token },
        effects: () =>
          ask(
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
      const { id, token } = await keyOf(manager);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/disable`, token },
        effects: () => ask(manager, 'disabled_by_owner AS disabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'enable key',
    prepare: async (manager) => {
      const { id, token } = await keyOf(manager);
      await make(manager, 'POST', `/v1/keys/${id}/disable`, undefined, token);
      return {
        request: { method: 'POST', path: `/v1/keys/${id}/enable`, token },
        effects: () => ask(manager, 'NOT disabled_by_owner AS enabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'disable key of a user',
    prepare: async (manager) => {
      const { id, userId } = await keyOf(manager);
      return {
        request: admin(manager, 'POST', `/v1/users/${userId}/keys/${id}/disable`),
        effects: () => ask(manager, 'disabled_by_administrator AS disabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'enable key of a user',
    prepare: async (manager) => {
      const { id, userId } = await keyOf(manager);
      const path = `/v1/users/${userId}/keys/${id}`;
      await make(manager, 'POST', `${path}/disable`);
      return {
        request: admin(manager, 'POST', `${path}/enable`),
        effects: () => ask(manager, 'NOT disabled_by_administrator AS enabled FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'revoke key',
    prepare: async (manager) => {
      const { id, token } = await keyOf(manager);
      return {
        request: { method: 'DELETE', path: `/v1/keys/${id}`, token },
        effects: () => ask(manager, 'revoked_at IS NOT NULL AS revoked FROM virtual_keys WHERE id = $1', [id]),
      };
    },
  },
];

const secret = (manager: TestManager, name = `Crash ${randomUUID()}`) =>
  make(manager, 'POST', '/v1/managed-secrets', { name, value: 'before' });

const secrets: CrashOperation[] = [
  {
    name: 'create secret',
    prepare: (manager) => {
      const name = `Crash ${randomUUID()}`;
      return Promise.resolve({
        request: admin(manager, 'POST', '/v1/managed-secrets', { name, value: 'after' }),
        effects: () => ask(manager, 'EXISTS (SELECT FROM managed_secrets WHERE name = $1) AS made', [name]),
      });
    },
  },
  {
    name: 'rotate secret',
    prepare: async (manager) => {
      const { id } = await secret(manager);
      const [row] = await manager.sql<{ ciphertext: Buffer; wrapped_key: Buffer }>(
        'SELECT ciphertext, wrapped_key FROM managed_secrets WHERE id = $1',
        [id],
      );
      return {
        request: admin(manager, 'PUT', `/v1/managed-secrets/${id}`, { value: 'after' }),
        effects: () =>
          ask(
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
      const { id } = await secret(manager);
      return {
        request: admin(manager, 'DELETE', `/v1/managed-secrets/${id}`),
        effects: () => ask(manager, 'NOT EXISTS (SELECT FROM managed_secrets WHERE id = $1) AS gone', [id]),
      };
    },
  },
];

const configuration: CrashOperation[] = [
  {
    name: 'put client configuration',
    lock: 'client configuration',
    prepare: async (manager) => {
      const { id } = await group(manager);
      const playground = { value: true, enforcement: 'enforced' };
      const build_env = { MARK: randomUUID() };
      return {
        request: admin(manager, 'PUT', '/v1/client-config', {
          config: { build_env },
          overrides: [{ group_id: id, precedence: 1, config: { playground } }],
        }),
        effects: () =>
          ask(
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
    prepare: async (manager) => {
      await ageNextKey(manager);
      const kid = async (state: string) =>
        (await manager.sql<{ kid: string }>('SELECT kid FROM signing_keys WHERE state = $1', [state]))[0]?.kid;
      const [current, next] = [await kid('current'), await kid('next')];
      return {
        request: admin(manager, 'POST', '/v1/signing-keys/rotate'),
        effects: async () => ({
          signs: (await kid('current')) === next,
          retired: (await kid('current')) !== current,
          announced: (await kid('next')) !== next,
        }),
      };
    },
  },
];

/** Begins a pass over the sealed values, which goes on by itself. */
const rewrapping: CrashOperation = {
  name: 'rewrap stored values',
  endsWithCommit: true,
  prepare: (manager) =>
    Promise.resolve({
      request: admin(manager, 'POST', '/v1/key-encryption/rewrap'),
      effects: () => Promise.resolve({}),
    }),
};

/**
 * Every kind of write that is killed; first those that run one at a time, so that nothing waits for
 * them in the end, and last what leaves work behind that goes on.
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
  ...discoveryOperations,
  ...policiesOperations,
  rewrapping,
];
