import type { ClusterNode } from '@gatehouse/testing/cluster-node';
import { startIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An MCP server that an enterprise manager has discovered. */
export interface DiscoveredServer {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly endpoint: string;
  readonly transport: string;
  readonly group?: string;
}

/** A real enterprise manager that discovers the servers of a cluster. */
export interface DiscoveringManager {
  list(): Promise<readonly DiscoveredServer[]>;
  /** Admits a server as a draft. */
  admit(id: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  readonly stop: () => Promise<void>;
}

/** Starts the manager with its own database and issuer. @param folder for the file of the token */
export async function startDiscoveringManager(node: ClusterNode, folder: string): Promise<DiscoveringManager> {
  const [issuer, database, port] = await Promise.all([
    startIssuer(),
    createDatabase({ name: 'kubernetes_workloads' }),
    freePort(),
  ]);
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, node.token, { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  const manager = await startProcess({
    app: 'enterprise-manager',
    env: {
      ...{ PORT: String(port), METRICS_PORT: '0', PUBLIC_URL: url, AUDIENCE: issuer.audience },
      ...{ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl },
      CURSOR_KEY: 'a cursor key for tests, long enough',
      KEY_ENCRYPTION_KEYS: '1:5PdWlOEymF9BCvVJ1ur8yhgHPd3GYkCxeXwyGEJ6lI0=',
      ISSUERS: JSON.stringify([
        { id: 'local', issuer: issuer.issuer, roles: { claim: 'roles', values: { admin: ['admin'] } } },
      ]),
      GATEWAYS: JSON.stringify([
        {
          ...{ id: 'local', display_name: 'local', kind: 'connector' },
          client_ids: [{ issuer: issuer.issuer, client_id: 'gateway' }],
        },
      ]),
      ...{ DISCOVERY_KUBERNETES_URL: node.url, DISCOVERY_CA_PATH: node.caPath, DISCOVERY_TOKEN_PATH: tokenFile },
    },
    readyUrl: `${url}/readyz`,
  });
  const token = await issuer.token({ subject: 'admin', roles: ['admin'] });
  const servers = `${url}/v1/gateways/local/discovered-servers`;
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    list: async () => (await call('GET', servers)).body['servers'] as DiscoveredServer[],
    admit: (id) => call('POST', `${servers}/${id}/admit`, {}),
    stop: async () => {
      await manager.stop();
      await issuer.close();
      await database.drop();
    },
  };
}
