import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubernetesClient, type KubernetesObject } from './client.ts';
import type { Resource } from './collection.ts';
import { KubernetesApiError } from './errors.ts';
import { Informer } from './informer.ts';

const SERVICES: Resource = { group: '', version: 'v1', plural: 'services', namespace: 'tools' };

const readName = ({ metadata }: KubernetesObject) => (metadata as { name: string }).name;

const createService = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }] },
});

const createDefinition = (plural: string, kind: string, versions: string[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.test` },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: versions.map((name, at) => ({
      name,
      served: true,
      storage: at === 0,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
});

/** Polls until the condition holds. @throws Error with the value of `seen` after 30 s */
async function until(condition: () => boolean, seen: () => unknown): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`seen: ${JSON.stringify(seen())}`);
    await sleep(20);
  }
}

describeWhen(kubernetesPrograms(), 'Informer', (programs) => {
  let cluster: Cluster;
  let stopping = new AbortController();
  beforeAll(async () => {
    cluster = await startCluster(programs);
  }, 90_000);
  afterEach(() => {
    stopping.abort();
    stopping = new AbortController();
  });
  afterAll(() => cluster.close());

  const createClient = (tokenPath: string | undefined) =>
    new KubernetesClient({ url: cluster.api.url, tokenPath, caPath: cluster.caPath });

  /** A service account that may list and watch Services and resources of `example.test`. */
  async function createReaderToken(account: string): Promise<string> {
    const roles = '/apis/rbac.authorization.k8s.io/v1';
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: ['', 'example.test'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
    const subjects = [{ kind: 'ServiceAccount', name: account, namespace: 'gatehouse' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account };
    const metadata = { name: account };
    await cluster.create(`${roles}/clusterroles`, { apiVersion, kind: 'ClusterRole', metadata, rules });
    await cluster.create(`${roles}/clusterrolebindings`, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      subjects,
      roleRef,
    });
    return cluster.createTokenFile(account);
  }

  function follow(tokenPath: string, ...resources: [Resource, ...Resource[]]) {
    const states: string[] = [];
    const transform = (object: KubernetesObject, kind: string) => `${kind} ${readName(object)}`;
    const informer = new Informer(
      createClient(tokenPath),
      { resources, transform },
      { onState: (state) => states.push(state) },
    );
    void informer.run(stopping.signal);
    return { informer, states };
  }

  it('follows additions and deletions', async () => {
    await cluster.create('/api/v1/namespaces/tools/services', createService('first'));
    const { informer, states } = follow(await createReaderToken('reader'), SERVICES);
    await until(
      () => informer.values.includes('Service first'),
      () => informer.values,
    );
    await cluster.create('/api/v1/namespaces/tools/services', createService('second'));
    await until(
      () => informer.values.includes('Service second'),
      () => informer.values,
    );
    await cluster.call('DELETE', '/api/v1/namespaces/tools/services/first');
    await until(
      () => !informer.values.includes('Service first'),
      () => informer.values,
    );
    expect([states, informer.staleMs]).toEqual([['following'], 0]);
  });

  it('reports a type that RBAC refuses', async () => {
    const { informer, states } = follow(await cluster.createTokenFile('stranger'), SERVICES);
    await until(
      () => informer.state === 'forbidden',
      () => states,
    );
    expect(informer.values).toEqual([]);
  });

  it('reports an absent type, and follows it once it is served, in the preferred version', async () => {
    const doors = (version: string): Resource => ({
      group: 'example.test',
      version,
      plural: 'doors',
      namespace: undefined,
    });
    const { informer, states } = follow(await createReaderToken('doors-reader'), doors('v2'), doors('v1'));
    await until(
      () => informer.state === 'absent',
      () => states,
    );
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await cluster.create(definitions, createDefinition('doors', 'Door', ['v1']));
    const door = { apiVersion: 'example.test/v1', kind: 'Door', metadata: { name: 'front' } };
    for (;;) {
      const { status } = await cluster.call('POST', '/apis/example.test/v1/namespaces/tools/doors', door);
      if (status === 201) break;
      await sleep(50);
    }
    await until(
      () => informer.values.includes('Door front'),
      () => states,
    );
    expect(states).toEqual(['absent', 'following']);
  });

  it('keeps its values while the token file is missing, and reports it', async () => {
    const tokenPath = await createReaderToken('short-lived');
    const { informer, states } = follow(tokenPath, SERVICES);
    await until(
      () => informer.state === 'following',
      () => states,
    );
    const before = informer.values;
    rmSync(tokenPath);
    const fresh = follow(tokenPath, SERVICES);
    await until(
      () => fresh.informer.state === 'unreachable',
      () => fresh.states,
    );
    expect(fresh.informer.staleMs).toBe(Number.POSITIVE_INFINITY);
    expect(informer.values).toEqual(before);
  });

  it('reads a Secret, and rejects a refused one with the status only', async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'upstream' },
      stringData: { token: 'hunter2' },
    };
    await cluster.create('/api/v1/namespaces/tools/secrets', secret);
    const client = createClient(await createReaderToken('secret-reader'));
    const signal = AbortSignal.timeout(10_000);
    const read = await client.readSecret('tools', 'upstream', signal);
    expect(read).toMatchObject({ kind: 'Secret', data: { token: Buffer.from('hunter2').toString('base64') } });
    const stranger = createClient(await cluster.createTokenFile('stranger'));
    const refused = await stranger.readSecret('tools', 'upstream', signal).catch((error: unknown) => error);
    expect(refused).toEqual(new KubernetesApiError(403, '/api/v1/namespaces/tools/secrets/upstream'));
    const missing = await client.readSecret('tools', 'missing', signal).catch((error: unknown) => error);
    expect(missing).toMatchObject({ status: 404 });
  });

  it('ends a call with its signal', async () => {
    const client = createClient(await createReaderToken('secret-reader'));
    await expect(client.readSecret('tools', 'upstream', AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('keeps its values while the API does not answer', async () => {
    const { informer, states } = follow(await createReaderToken('reader'), SERVICES);
    await until(
      () => informer.state === 'following',
      () => states,
    );
    const before = informer.values;
    await cluster.api.stop();
    await until(
      () => informer.state === 'unreachable',
      () => states,
    );
    expect(informer.values).toEqual(before);
    expect(informer.staleMs).toBeLessThan(60_000);
  });
});
