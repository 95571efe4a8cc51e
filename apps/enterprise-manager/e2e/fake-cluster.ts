import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The events of a watch of the fake cluster. */
export type Script = (response: ServerResponse, resourceVersion: string) => void;

/**
 * A fake of the part of the Kubernetes API that the service reads, for events that a real cluster
 * does not produce on demand. A real cluster is in cluster-scene.ts.
 */
export interface FakeCluster {
  url: string;
  /** The objects of `gatehouse.dev` MCPServer. */
  readonly servers: ReturnType<typeof createFakeServer>[];
  /** The requests of that collection, as `list` and `watch <resourceVersion>`. */
  readonly requests: string[];
  /** The scripts of the next watches, one each. A watch without a script sends no event. */
  readonly scripts: Script[];
  /** Returns the id of an unused server of the initial ones. */
  takeServer(): string;
  close(): Promise<void>;
}

/** An object of the Gatehouse resource. */
export const createFakeServer = (id: string, url: string, resourceVersion = '1') => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'MCPServer',
  metadata: { uid: id, name: `fake-${id.slice(-12)}`, namespace: 'tools', resourceVersion },
  spec: { url },
});

/** Starts a fake cluster on a free port. @param count the number of servers */
export async function startFakeCluster(count = 0): Promise<FakeCluster> {
  const servers = Array.from({ length: count }, (_, at) =>
    createFakeServer(randomUUID(), `https://fake.example/${at}`),
  );
  const [requests, scripts]: [string[], Script[]] = [[], []];
  const given = servers.values();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://cluster');
    const ours = url.pathname === '/apis/gatehouse.dev/v1alpha1/mcpservers';
    const version = url.searchParams.get('resourceVersion') ?? '';
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.has('watch')) {
      response.writeHead(200).flushHeaders();
      if (!ours) return;
      requests.push(`watch ${version}`);
      scripts.shift()?.(response, version);
      return;
    }
    if (!ours) {
      response.writeHead(url.pathname.startsWith('/api/') ? 200 : 404);
      response.end(JSON.stringify({ kind: 'ServiceList', metadata: { resourceVersion: '1' }, items: [] }));
      return;
    }
    requests.push('list');
    const metadata = { resourceVersion: String(servers.length + 1) };
    response.end(JSON.stringify({ kind: 'MCPServerList', metadata, items: servers }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servers,
    requests,
    scripts,
    takeServer: () => {
      const { value } = given.next();
      if (value === undefined) throw new Error(`the cluster has no more than ${count} servers`);
      return value.metadata.uid;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
