import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What a watch of the paper cluster does after it was opened. */
export type Script = (response: ServerResponse, resourceVersion: string) => void;

/**
 * A cluster on paper: the little of the Kubernetes API that discovery asks, for what a real one
 * does not do on demand. A real one is in cluster-scene.ts.
 */
export interface FakeCluster {
  url: string;
  /** The objects of `gatehouse.dev` MCPServer. */
  readonly servers: ReturnType<typeof fakeServer>[];
  /** Requests of that collection so far, as `list` and `watch <resourceVersion>`. */
  readonly asked: string[];
  /** What the next watches do, one each; a watch without a script stays silent. */
  readonly scripts: Script[];
  /** Id of a server that nobody was given yet, of those that were there from the beginning. */
  next(): string;
  close(): Promise<void>;
}

/** An object of our own resource. */
export const fakeServer = (id: string, url: string, resourceVersion = '1') => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'MCPServer',
  metadata: { uid: id, name: `paper-${id.slice(-12)}`, namespace: 'tools', resourceVersion },
  spec: { url },
});

/** Starts a cluster on paper on a free port. @param count how many servers it has */
export async function startFakeCluster(count = 0): Promise<FakeCluster> {
  const servers = Array.from({ length: count }, (_, at) => fakeServer(randomUUID(), `https://paper.example/${at}`));
  const [asked, scripts]: [string[], Script[]] = [[], []];
  const given = servers.values();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://cluster');
    const ours = url.pathname === '/apis/gatehouse.dev/v1alpha1/mcpservers';
    const version = url.searchParams.get('resourceVersion') ?? '';
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.has('watch')) {
      response.writeHead(200).flushHeaders();
      if (!ours) return;
      asked.push(`watch ${version}`);
      scripts.shift()?.(response, version);
      return;
    }
    if (!ours) {
      response.writeHead(url.pathname.startsWith('/api/') ? 200 : 404);
      response.end(JSON.stringify({ kind: 'ServiceList', metadata: { resourceVersion: '1' }, items: [] }));
      return;
    }
    asked.push('list');
    const metadata = { resourceVersion: String(servers.length + 1) };
    response.end(JSON.stringify({ kind: 'MCPServerList', metadata, items: servers }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servers,
    asked,
    scripts,
    next: () => {
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
