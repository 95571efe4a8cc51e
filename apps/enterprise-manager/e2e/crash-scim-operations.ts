import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';
import type { ReplicaCall } from './replica.ts';
import { GROUP, makeScimToken, PATCH, USER } from './scim-scene.ts';

const urn = (schema: string) => ({ schemas: [schema] });

/** The SCIM writes, and the operations that manage SCIM tokens. */
export const scimOperations: CrashOperation[] = [
  {
    name: 'create SCIM token',
    prepare: (manager) => {
      const name = `Crash ${randomUUID()}`;
      return Promise.resolve({
        request: adminRequest(manager, 'POST', '/v1/scim-tokens', { issuer_id: 'local', name }),
        effects: () => readFlags(manager, 'EXISTS (SELECT FROM scim_tokens WHERE name = $1) AS made', [name]),
      });
    },
  },
  {
    name: 'rotate SCIM token',
    prepare: async (manager) => {
      const { id } = await makeScimToken(manager);
      const [row] = await manager.sql<{ hash: Buffer }>('SELECT secret_hash AS hash FROM scim_tokens WHERE id = $1', [
        id,
      ]);
      return {
        request: adminRequest(manager, 'POST', `/v1/scim-tokens/${id}/rotate`),
        effects: () =>
          readFlags(
            manager,
            'secret_hash <> $2 AS renewed, previous_hash IS NOT DISTINCT FROM $2 AS kept, previous_valid_until IS NOT NULL AS dated, version = 2 AS counted FROM scim_tokens WHERE id = $1',
            [id, row?.hash],
          ),
      };
    },
  },
  {
    name: 'revoke SCIM token',
    prepare: async (manager) => {
      const { id } = await makeScimToken(manager);
      return {
        request: adminRequest(manager, 'DELETE', `/v1/scim-tokens/${id}`),
        effects: () =>
          readFlags(
            manager,
            'revoked_at IS NOT NULL AS revoked, version = 2 AS counted FROM scim_tokens WHERE id = $1',
            [id],
          ),
      };
    },
  },
  {
    name: 'SCIM: create user',
    prepare: async (manager) => {
      const userName = `crash-${randomUUID()}`;
      return {
        request: await provision(manager, 'POST', '/Users', { ...urn(USER), userName, displayName: 'Crash' }),
        effects: () => readFlags(manager, 'EXISTS (SELECT FROM users WHERE user_name = $1) AS made', [userName]),
      };
    },
  },
  {
    name: 'SCIM: replace user',
    prepare: async (manager) => {
      const [id, userName] = [await provisionedUser(manager), `crashed-${randomUUID()}`];
      return {
        request: await provision(manager, 'PUT', `/Users/${id}`, { ...urn(USER), userName, displayName: 'Crashed' }),
        effects: () =>
          readFlags(
            manager,
            `user_name = $2 AS named, display_name = 'Crashed' AS shown, version = 2 AS counted FROM users WHERE id = $1`,
            [id, userName],
          ),
      };
    },
  },
  {
    name: 'SCIM: disable user',
    prepare: async (manager) => {
      const id = await provisionedUser(manager);
      const Operations = [{ op: 'Replace', path: 'active', value: 'False' }];
      return {
        request: await provision(manager, 'PATCH', `/Users/${id}`, { ...urn(PATCH), Operations }),
        effects: () =>
          readFlags(manager, 'NOT active AS disabled, version = 2 AS counted FROM users WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'SCIM: delete user',
    prepare: async (manager) => {
      const id = await provisionedUser(manager);
      const group = await provisionedGroup(manager, id);
      return {
        request: await provision(manager, 'DELETE', `/Users/${id}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM users WHERE id = $1) AS gone, NOT EXISTS (SELECT FROM group_users WHERE user_id = $1) AS left_groups,
             (SELECT version = 3 FROM groups WHERE id = $2) AS counted`,
            [id, group],
          ),
      };
    },
  },
  {
    name: 'SCIM: create group',
    prepare: async (manager) => {
      const [user, displayName] = [await provisionedUser(manager), `Crash ${randomUUID()}`];
      const members = [{ value: user }];
      return {
        request: await provision(manager, 'POST', '/Groups', { ...urn(GROUP), displayName, members }),
        effects: () =>
          readFlags(
            manager,
            'EXISTS (SELECT FROM groups WHERE display_name = $2) AS made, EXISTS (SELECT FROM group_users WHERE user_id = $1) AS filled',
            [user, displayName],
          ),
      };
    },
  },
  {
    name: 'SCIM: replace group',
    prepare: async (manager) => {
      const [before, after] = [await provisionedUser(manager), await provisionedUser(manager)];
      const [id, displayName] = [await provisionedGroup(manager, before), `Crashed ${randomUUID()}`];
      const members = [{ value: after }];
      return {
        request: await provision(manager, 'PUT', `/Groups/${id}`, { ...urn(GROUP), displayName, members }),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM group_users WHERE user_id = $2) AS gone, EXISTS (SELECT FROM group_users WHERE user_id = $3) AS come,
             display_name = $4 AS named FROM groups WHERE id = $1`,
            [id, before, after, displayName],
          ),
      };
    },
  },
  {
    name: 'SCIM: delete group',
    lock: 'graph of groups',
    prepare: async (manager) => {
      const id = await provisionedGroup(manager, await provisionedUser(manager));
      return {
        request: await provision(manager, 'DELETE', `/Groups/${id}`),
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
    name: 'SCIM: add member to group',
    prepare: async (manager) => {
      const [user, id] = [await provisionedUser(manager), await provisionedGroup(manager)];
      const Operations = [{ op: 'add', path: 'members', value: [{ value: user }] }];
      return {
        request: await provision(manager, 'PATCH', `/Groups/${id}`, { ...urn(PATCH), Operations }),
        effects: () =>
          readFlags(
            manager,
            'EXISTS (SELECT FROM group_users WHERE group_id = $1 AND user_id = $2) AS member, (SELECT version = 2 FROM groups WHERE id = $1) AS counted',
            [id, user],
          ),
      };
    },
  },
];

const scimTokens = new WeakMap<TestManager, Promise<string>>();

/** Creates a request of the identity provider; all requests of one manager share a token. */
async function provision(manager: TestManager, method: string, path: string, body?: object): Promise<ReplicaCall> {
  if (!scimTokens.has(manager)) {
    scimTokens.set(
      manager,
      makeScimToken(manager).then((made) => made.secret),
    );
  }
  const call = { method, path: `/scim/local/v2${path}`, token: (await scimTokens.get(manager))! };
  return body === undefined ? call : { ...call, body, headers: { 'content-type': 'application/scim+json' } };
}

/** Provisions a resource through the replica that keeps running. @returns its id */
async function provisioned(manager: TestManager, path: string, body: object): Promise<string> {
  const { token, headers, ...request } = await provision(manager, 'POST', path, body);
  const response = await fetch(manager.baseUrl + request.path, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const made = (await response.json()) as { id?: string };
  if (made.id === undefined) throw new Error(`${path} answers ${response.status}`);
  return made.id;
}

/** Provisions a user. @returns its id */
export const provisionedUser = (manager: TestManager): Promise<string> =>
  provisioned(manager, '/Users', { ...urn(USER), userName: `crash-${randomUUID()}` });

const provisionedGroup = (manager: TestManager, ...members: string[]): Promise<string> =>
  provisioned(manager, '/Groups', {
    ...urn(GROUP),
    displayName: `Crash ${randomUUID()}`,
    members: members.map((value) => ({ value })),
  });
