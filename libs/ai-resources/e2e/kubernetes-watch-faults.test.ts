import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KubernetesResourceStore } from '../src/kubernetes/kubernetes-resource-store.ts';
import { DisturbedCluster, FollowingCache } from './disturbed-cluster.ts';
import { waitUntil } from './store-suite/recording-observer.ts';

const isWatch = ({ path }: { path: string }) => path.includes('watch=true');

describeWhen(kubernetesPrograms(), 'a cache of resources in a cluster', (programs) => {
  let world: DisturbedCluster;
  let following: FollowingCache;
  let round = 0;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
  beforeAll(async () => {
    world = await DisturbedCluster.start(programs);
  }, 90_000);
  beforeEach(async () => {
    await world.write(`kept-${(round += 1)}`, 'a policy');
    following = new FollowingCache(world.openStore());
    await waitForStatus('following');
    await waitForStore();
  });
  afterEach(async () => {
    world.proxy.inject(() => undefined);
    await following.stop();
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  const waitForStatus = (status: string) =>
    waitUntil(
      () => following.cache.state?.status === status,
      () => following.states,
    );
  /** Waits until the cache has exactly what the cluster has. */
  async function waitForStore(): Promise<void> {
    const stored = await world.readVersions();
    await waitUntil(
      () => isDeepStrictEqual(following.versions, stored),
      () => [following.versions, stored],
    );
  }
  const writeSome = async () => {
    await world.write(`kept-${round}`, `changed ${performance.now()}`);
    await world.write(`new-${round}`, 'a new policy');
    await world.delete(`kept-${round - 1}`);
  };

  it('reports that the connection was cut, and catches up', async () => {
    world.proxy.cutConnections();
    await writeSome();
    await waitForStatus('unreachable');
    await waitForStatus('following');
    await waitForStore();
    expect(following.statuses).toEqual(['following', 'unreachable', 'following']);
  });

  it('continues a watch that the API has ended, without a report', async () => {
    const lists = world.proxy.requests.filter((request) => !isWatch(request)).length;
    for (let time = 0; time < 3; time += 1) {
      world.proxy.endResponses();
      await writeSome();
      await waitForStore();
    }
    expect(following.statuses).toEqual(['following']);
    expect(world.proxy.requests.filter((request) => !isWatch(request))).toHaveLength(lists);
  });

  it('lists again when the history of the watch has been deleted, without a report', async () => {
    const restarted = Promise.withResolvers<undefined>();
    world.proxy.inject(() => restarted.promise);
    const before = world.proxy.requests.length;
    world.proxy.endResponses();
    await waitUntil(
      () => world.proxy.requests.length > before,
      () => world.proxy.requests.at(-1),
    );
    await writeSome();
    await world.cluster.api.compact();
    await world.cluster.api.stopServer();
    await world.cluster.api.startServer();
    await world.readVersions();
    restarted.resolve(undefined);
    await waitForStore();
    const [watch, list] = world.proxy.requests.slice(before);
    expect([isWatch(watch!), isWatch(list!), following.statuses]).toEqual([true, false, ['following']]);
  });

  it('keeps its resources while the API server is down, and catches up after its restart', async () => {
    await writeSome();
    await waitForStore();
    const before = following.versions;
    await world.cluster.api.stopServer();
    await waitForStatus('unreachable');
    const store = world.openStore();
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.delete('a', { resourceVersion: '1' })).rejects.toMatchObject({ code: 'unavailable' });
    expect([following.versions, following.cache.isSynced]).toEqual([before, true]);
    await world.cluster.api.startServer();
    await writeSome();
    await waitForStatus('following');
    await waitForStore();
  });

  it('reports that RBAC forbids the watch, follows by lists, and recovers', async () => {
    await world.permit(['get', 'list']);
    world.proxy.cutConnections();
    await waitForStatus('forbidden');
    await writeSome();
    await waitForStore();
    expect(following.states.at(-1)?.cause).toMatchObject({ status: 403 });
    await world.permit();
    await waitForStatus('following');
    await writeSome();
    await waitForStore();
  });

  it('reports that RBAC forbids the list, and keeps its resources', async () => {
    const before = following.versions;
    await world.permit(['create']);
    world.proxy.cutConnections();
    await waitForStatus('forbidden');
    expect(following.versions).toEqual(before);
    await world.permit();
    await waitForStatus('following');
  });

  it('reports a token that the API does not accept, and recovers with another one', async () => {
    const tokenPath = join(folder, 'token');
    writeFileSync(tokenPath, 'wrong');
    await following.stop();
    following = new FollowingCache(world.openStore({ tokenPath }));
    await waitForStatus('forbidden');
    copyFileSync(world.tokenPath, tokenPath);
    await waitForStatus('following');
    await waitForStore();
  });

  it('reports a missing kubeconfig, and recovers when it is there', async () => {
    const kubeconfigPath = join(folder, 'kubeconfig');
    const client = new KubernetesClient({ kubeconfigPath });
    await following.stop();
    following = new FollowingCache(new KubernetesResourceStore(client, { kind: 'AIPolicy', namespace: 'tools' }));
    await waitForStatus('unreachable');
    expect(String(following.states[0]?.cause)).toContain(kubeconfigPath);
    copyFileSync(world.cluster.api.kubeconfig, kubeconfigPath);
    await waitForStatus('following');
    await waitForStore();
  });

  it('reports that the type does not exist, and recovers when it is created', async () => {
    const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/aipolicies.gatehouse.dev';
    await world.cluster.call('DELETE', definition);
    await waitUntil(
      () => following.cache.size === 0,
      () => following.versions,
    );
    world.proxy.cutConnections();
    await waitForStatus('absent');
    await expect(world.openStore().list()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('aipolicies.gatehouse.dev'),
    });
    await world.cluster.createDefinitions('crds/aipolicies.gatehouse.dev.yaml');
    await world.write('again', 'a policy');
    await waitForStatus('following');
    await waitForStore();
  });

  it.each([
    ['text/html', '<html>Sign in to the network</html>'],
    ['application/json', '{}'],
    ['application/json', '{"items":'],
    ['application/json', 'null'],
    ['application/json', '{"kind":"AIPolicyList","items":[7,null,{}],"metadata":{}}'],
  ])('keeps its resources when something else answers with %s %s', async (type, body) => {
    const before = following.versions;
    world.proxy.inject(() => ({ status: 200, headers: { 'content-type': type }, body }));
    world.proxy.cutConnections();
    await waitForStatus('unreachable');
    expect(following.versions).toEqual(before);
    world.proxy.inject(() => undefined);
    await waitForStatus('following');
    await waitForStore();
  });

  it('ignores garbage in a watch', async () => {
    const body = ['garbage', '{"type":"ADDED"}', '{"type":7,"object":[]}', '{"type":"ADDED","object":{}}', ''].join(
      '\n',
    );
    let isFirst = true;
    world.proxy.inject((request) => {
      if (!isWatch(request) || !isFirst) return undefined;
      isFirst = false;
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    });
    world.proxy.endResponses();
    await writeSome();
    await waitForStore();
    expect([isFirst, following.statuses]).toEqual([false, ['following']]);
  });
});
