import { randomUUID } from 'node:crypto';
import { grant, makeAvailable, makeGroup } from './connector-scene.ts';
import { admin, ask, type CrashOperation, make } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A connector that alice may use; what makes it waits while the snapshot of its gateway is being changed. */
const SHARED = { shares: ['snapshot of a gateway'], unaudited: true } as const;

async function usable(manager: TestManager): Promise<string> {
  const { id } = await makeAvailable(manager);
  await grant(manager, id, await makeGroup(manager, 'alice'));
  return id;
}

const connected = async (manager: TestManager) => {
  const connector_id = await usable(manager);
  const body = { gateway_id: 'local', connector_id, enabled: false, tools_exception_list: ['before'] };
  return { connector_id, ...(await make(manager, 'POST', '/v1/me/connections', body, manager.tokens.alice)) };
};

const own = (manager: TestManager, method: string, path: string, body?: unknown) => ({
  ...admin(manager, method, `/v1/me/connections${path}`, body),
  token: manager.tokens.alice,
});

/** Writes of people and gateways about connections, and what makes a connector of a server in the cluster. */
export const connectionsOperations: CrashOperation[] = [
  {
    name: 'create own connection',
    ...SHARED,
    prepare: async (manager) => {
      const connector_id = await usable(manager);
      return {
        request: own(manager, 'POST', '', { gateway_id: 'local', connector_id }),
        effects: () => ask(manager, 'EXISTS (SELECT FROM connections WHERE connector_id = $1) AS made', [connector_id]),
      };
    },
  },
  {
    name: 'enable own connection',
    ...SHARED,
    prepare: async (manager) => {
      const { id } = await connected(manager);
      return {
        request: own(manager, 'PUT', `/${id}/enabled`, { enabled: true }),
        effects: () => ask(manager, 'enabled FROM connections WHERE id = $1', [id]),
      };
    },
  },
  {
    name: 'narrow tools of own connection',
    ...SHARED,
    prepare: async (manager) => {
      const { id } = await connected(manager);
      return {
        request: own(manager, 'PUT', `/${id}/tool-policy`, {
          tools_enabled_by_default: false,
          tools_exception_list: ['after'],
        }),
        effects: () =>
          ask(
            manager,
            `NOT tools_enabled_by_default AS closed, tools_exception_list = '{after}' AS excepted FROM connections WHERE id = $1`,
            [id],
          ),
      };
    },
  },
  {
    name: 'delete own connection',
    ...SHARED,
    prepare: async (manager) => {
      const { id } = await connected(manager);
      return {
        request: own(manager, 'DELETE', `/${id}`),
        effects: () => ask(manager, 'NOT EXISTS (SELECT FROM connections WHERE id = $1) AS gone', [id]),
      };
    },
  },
  ...(['PUT', 'DELETE'] as const).map((method): CrashOperation => {
    const switchesOn = method === 'PUT';
    return {
      name: switchesOn ? 'enable connection as a gateway' : 'clear connection as a gateway',
      ...SHARED,
      prepare: async (manager) => {
        const { id, connector_id } = await connected(manager);
        const path = `/gateway/v1/gateways/local/connections/${await manager.userId('alice')}/${connector_id}`;
        return {
          request: { method, path, token: manager.tokens.gateway, ...(switchesOn && { body: { enabled: true } }) },
          effects: () =>
            ask(
              manager,
              switchesOn
                ? 'enabled FROM connections WHERE id = $1'
                : 'NOT EXISTS (SELECT FROM connections WHERE id = $1) AS gone',
              [id],
            ),
        };
      },
    };
  }),
  {
    name: 'admit discovered server',
    lock: 'snapshot of a gateway',
    prepare: (manager) => {
      const [id, name] = [manager.cluster?.next() ?? '', `Crash ${randomUUID()}`];
      return Promise.resolve({
        request: admin(manager, 'POST', `/v1/gateways/local/discovered-servers/${id}/admit`, { name }),
        effects: () =>
          ask(
            manager,
            `EXISTS (SELECT FROM connectors WHERE name = $1) AS made,
             EXISTS (SELECT FROM connector_policies WHERE connector_id = (SELECT id FROM connectors WHERE name = $1)) AS closed`,
            [name],
          ),
      });
    },
  },
];
