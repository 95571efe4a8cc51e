import { randomUUID } from 'node:crypto';
import { draft, grant, makeConnector, makeGroup, policyTag } from './connector-scene.ts';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

const connector = async (manager: TestManager) => {
  const { id } = await makeConnector(manager, draft({ name: `Crash ${randomUUID()}` }));
  return { id, path: `/v1/connectors/${id}/policy` };
};
const granted = async (manager: TestManager) => {
  const [made, group] = [await connector(manager), await makeGroup(manager)];
  await grant(manager, made.id, group);
  return { ...made, group };
};
const MODE = `mode = $2 AS switched, version = $3 AS counted FROM connector_policies WHERE connector_id = $1`;

/** Writes of the policies of connectors. */
export const policiesOperations: CrashOperation[] = [
  {
    name: 'replace granted groups',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const [{ id, path }, group] = [await connector(manager), await makeGroup(manager)];
      const request = adminRequest(manager, 'PUT', `${path}/groups`, { group_ids: [group] });
      return {
        request: { ...request, headers: { 'if-match': await policyTag(manager, id) } },
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM connector_policy_grants WHERE connector_id = $1 AND group_id = $2) AS granted,
             (SELECT version = 2 FROM connector_policies WHERE connector_id = $1) AS counted`,
            [id, group],
          ),
      };
    },
  },
  {
    name: 'revoke group of policy',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id, path, group } = await granted(manager);
      return {
        request: adminRequest(manager, 'DELETE', `${path}/groups/${group}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM connector_policy_grants WHERE connector_id = $1) AS revoked,
             (SELECT version = 3 FROM connector_policies WHERE connector_id = $1) AS counted`,
            [id],
          ),
      };
    },
  },
  {
    name: 'switch policy to Cedar',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id, path } = await granted(manager);
      return {
        request: adminRequest(manager, 'PUT', `${path}/cedar-mode`),
        effects: () => readFlags(manager, `cedar_document IS NOT NULL AS begun, ${MODE}`, [id, 'cedar', 3]),
      };
    },
  },
  {
    name: 'switch policy back from Cedar',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id, path } = await granted(manager);
      await sendRequest(manager, 'PUT', `${path}/cedar-mode`);
      return {
        request: adminRequest(manager, 'DELETE', `${path}/cedar-mode`),
        effects: () => readFlags(manager, `cedar_document IS NULL AS dropped, ${MODE}`, [id, 'structured', 4]),
      };
    },
  },
  {
    name: 'set Cedar document',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id, path } = await connector(manager);
      await sendRequest(manager, 'PUT', `${path}/cedar-mode`);
      const document = `// ${randomUUID()}`;
      return {
        request: adminRequest(manager, 'PUT', `${path}/document`, { document }),
        effects: () =>
          readFlags(
            manager,
            'cedar_document = $2 AS written, version = 3 AS counted FROM connector_policies WHERE connector_id = $1',
            [id, document],
          ),
      };
    },
  },
];
