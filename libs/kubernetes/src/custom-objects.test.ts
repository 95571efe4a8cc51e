import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { type KubernetesProxy, startKubernetesProxy } from '@gatehouse/testing/kubernetes-proxy';
import { KubernetesClient } from './client.ts';
import { CustomObjects } from './custom-objects.ts';

const RESOURCE = { group: 'gatehouse.dev', version: 'v1alpha1', plural: 'mcpservers', namespace: 'tools' };

const newServer = (name: string, description: unknown = 'a server') => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'MCPServer',
  metadata: { name },
  spec: { url: 'http://tools.example/mcp', description },
});

describeWhen(kubernetesPrograms(), 'CustomObjects', (programs) => {
  let cluster: Cluster;
  let proxy: KubernetesProxy;
  let client: KubernetesClient;
  let objects: CustomObjects;
  let names = 0;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    await cluster.createDefinitions('crds/mcpservers.gatehouse.dev.yaml');
    proxy = await startKubernetesProxy(cluster);
    await cluster.permit('editor', 'tools', [{ apiGroups: ['gatehouse.dev'], resources: ['*'], verbs: ['*'] }]);
    const access = { url: proxy.url, tokenPath: await cluster.createTokenFile('editor'), caPath: undefined };
    client = new KubernetesClient(access);
    objects = new CustomObjects(client, RESOURCE);
  }, 90_000);
  afterEach(() => proxy.inject(() => undefined));
  afterAll(async () => {
    await proxy.close();
    await cluster.close();
  });

  const create = () => objects.create(newServer(`server-${(names += 1)}`));
  const readMetadata = (object: unknown) => (object as { metadata: Record<string, string> }).metadata;

  it('creates, reads, patches and deletes', async () => {
    const { name = '', resourceVersion } = readMetadata(await create());
    const patched = await objects.patch(name, { metadata: { resourceVersion }, spec: { description: null } });
    expect(patched['spec']).not.toHaveProperty('description');
    const reported = await objects.patch(name, { status: { phase: 'Ready' }, spec: { url: 'x' } }, 'status');
    expect(reported).toMatchObject({ spec: { url: 'http://tools.example/mcp' }, status: { phase: 'Ready' } });
    expect(await objects.get(name)).toEqual(reported);
    await expect(objects.delete(name, resourceVersion!)).rejects.toMatchObject({ status: 409 });
    await objects.delete(name, readMetadata(reported)['resourceVersion']!);
    await expect(objects.get(name)).rejects.toMatchObject({ status: 404, body: { details: { name } } });
  });

  it('reports the members that the API refuses', async () => {
    const error = await objects.create(newServer('wrong', 7)).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'spec.description' }] } } });
    await expect(objects.create({ ...newServer('wrong'), spec: { zone: 'a' } })).rejects.toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('unknown field "spec.zone"') },
    });
  });

  it.each(['', '.', '..', 'a/../b', 'A'])('does not send a request with the name %j', async (name) => {
    const before = proxy.requests.length;
    for (const call of [() => objects.get(name), () => objects.patch(name, {}), () => objects.delete(name, '1')])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    expect(proxy.requests).toHaveLength(before);
  });

  it('uses one connection for requests that follow each other', async () => {
    const { name = '' } = readMetadata(await create());
    const before = proxy.connections;
    for (let request = 0; request < 20; request += 1) await objects.get(name);
    expect(proxy.connections - before).toBeLessThanOrEqual(1);
  });

  it('ends a request after its time limit', async () => {
    proxy.inject(() => 'hang');
    await expect(new CustomObjects(client, RESOURCE, 100).get('a')).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends a request, also while its body arrives, with the signal', async () => {
    proxy.inject(() => ({ delayMs: 60_000 }));
    const reason = new Error('the caller has left');
    const stop = new AbortController();
    const reading = objects.get('a', stop.signal);
    setTimeout(() => stop.abort(reason), 50);
    await expect(reading).rejects.toBe(reason);
  });

  it.each([
    [{ 'retry-after': '7' }, '', 7_000],
    [{}, JSON.stringify({ kind: 'Status', details: { retryAfterSeconds: 3 } }), 3_000],
    [{}, 'Too many requests', undefined],
  ])('reports a rate limit with the headers %j and the body %j', async (headers, body, retryAfterMs) => {
    proxy.inject(() => ({ status: 429, headers: { 'content-type': 'application/json', ...headers }, body }));
    await expect(objects.get('a')).rejects.toMatchObject({ status: 429, retryAfterMs });
  });

  it.each(['<html>a login page</html>', '{"kind":', ''])('rejects the body %j', async (body) => {
    proxy.inject(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body }));
    const html = await objects.get('a').catch((error: unknown) => error);
    proxy.inject(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
    await expect(objects.get('a')).rejects.toBeInstanceOf(Error);
    expect(typeof html).not.toBe('object');
  });
});
