import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation } from './crash-scene.ts';

/** The admission of a discovered server. Writes of connections are one statement each. */
export const discoveredServersOperations: CrashOperation[] = [
  {
    name: 'admit discovered server',
    lock: 'snapshot of a gateway',
    prepare: (manager) => {
      const [id, name] = [manager.cluster?.takeServer() ?? '', `Crash ${randomUUID()}`];
      return Promise.resolve({
        request: adminRequest(manager, 'POST', `/v1/gateways/local/discovered-servers/${id}/admit`, { name }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM connectors WHERE name = $1) AS made,
             EXISTS (SELECT FROM connector_policies WHERE connector_id = (SELECT id FROM connectors WHERE name = $1)) AS closed`,
            [name],
          ),
      });
    },
  },
];
