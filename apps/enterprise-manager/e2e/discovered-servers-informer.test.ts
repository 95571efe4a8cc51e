import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type FakeCluster, createFakeServer, startFakeCluster } from './fake-cluster.ts';

describe('the watch of the cluster', () => {
  let cluster: FakeCluster;
  let manager: TestManager | undefined;
  beforeEach(async () => {
    cluster = await startFakeCluster();
  });
  afterEach(async () => {
    await manager?.close();
    manager = undefined;
    await cluster.close();
  });

  const start = async () => {
    manager = await startManager({ environment: { DISCOVERY_KUBERNETES_URL: cluster.url } });
  };
  const listIds = async () => {
    const { status, body } = await manager!.client.call<{ servers: { id: string }[] }>(
      'GET /v1/gateways/{gateway_id}/discovered-servers',
      { token: manager!.tokens.admin, path: { gateway_id: 'local' } },
    );
    return status === 200 ? body.servers.map(({ id }) => id).sort() : [String(status)];
  };
  const waitUntil = async (isExpected: () => Promise<boolean> | boolean) => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (await isExpected()) return;
      await sleep(50);
    }
    throw new Error(`it is ${JSON.stringify(await listIds())} after ${JSON.stringify(cluster.requests)}`);
  };
  const formatLine = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;

  it('begins with a new list when the resource version has expired', async () => {
    const [kept, lost, added] = [randomUUID(), randomUUID(), randomUUID()];
    cluster.servers.push(
      createFakeServer(kept, 'https://kept.example/mcp'),
      createFakeServer(lost, 'https://lost.example/mcp'),
    );
    cluster.scripts.push((response) => {
      cluster.servers.splice(1, 1, createFakeServer(added, 'https://added.example/mcp'));
      response.end(formatLine('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }));
    });
    await start();
    await waitUntil(async () => (await listIds()).includes(added));
    expect(await listIds()).toEqual([kept, added].sort());
    expect(cluster.requests.filter((what) => what === 'list')).toHaveLength(2);
  });

  it('continues after the last event when a watch has ended', async () => {
    const id = randomUUID();
    cluster.scripts.push((response) => {
      response.write(formatLine('ADDED', createFakeServer(id, 'https://one.example/mcp', '7')));
      response.end(formatLine('BOOKMARK', { kind: 'MCPServer', metadata: { resourceVersion: '9' } }));
    });
    await start();
    await waitUntil(() => cluster.requests.includes('watch 9'));
    expect(cluster.requests).toEqual(['list', 'watch 1', 'watch 9']);
    expect(await listIds()).toEqual([id]);
  });

  it('survives split, unknown and invalid events, and a connection that ends within an event', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const text = formatLine('ADDED', createFakeServer(first, 'https://ünïcode.example/mcp'));
    const bytes = Buffer.from(text);
    cluster.scripts.push((response) => {
      response.write(formatLine('SURPRISE', { metadata: {} }));
      response.write(formatLine('ADDED', { metadata: { uid: 7, name: [] }, spec: 'none', status: null }));
      for (let at = 0; at < bytes.length; at += 5) response.write(bytes.subarray(at, at + 5));
      cluster.servers.push(
        createFakeServer(first, 'https://ünïcode.example/mcp'),
        createFakeServer(second, 'https://second.example/mcp'),
      );
      setTimeout(() => response.write(text.slice(0, 20), () => response.destroy()), 50);
    });
    await start();
    await waitUntil(async () => (await listIds()).length === 2);
    expect(await listIds()).toEqual([first, second].sort());
  });

  it('is not repeated without delay when the cluster ends each watch at once', async () => {
    cluster.scripts.push(...Array.from({ length: 1_000 }, () => (response: { end(): void }) => response.end()));
    await start();
    await waitUntil(() => cluster.requests.includes('watch 1'));
    await sleep(2_000);
    expect(cluster.requests.length).toBeLessThan(20);
  });
});
