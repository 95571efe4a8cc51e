import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { type KubernetesProxy, startKubernetesProxy } from '@gatehouse/testing/kubernetes-proxy';
import { type ClusterBackend, writeKubeconfig } from '@gatehouse/testing/cluster-backend';
import { eventually } from '@gatehouse/testing/eventually';
import type { Scene } from '../support/scene.ts';
import { createPolicy, type Replica } from '../support/world.ts';

/** Defines the tests of a service whose API server fails. */
export function describeApiServerFaults(getScene: () => Scene<ClusterBackend>): void {
  let proxy: KubernetesProxy;
  let replica: Replica;
  const isPolicyWrite = ({ method, path }: { method: string; path: string }) =>
    method !== 'GET' && path.includes('/aipolicies');
  const create = (name: string) =>
    replica.call<AIPolicy>('POST /v1/policies', { token: getScene().world.tokens.admin, body: createPolicy(name) });
  const read = (name: string) =>
    replica.call<AIPolicy>('GET /v1/policies/{name}', { token: getScene().world.tokens.admin, path: { name } });
  const startProxiedReplica = (wait: boolean) => {
    const { backend, world } = getScene();
    const environment = { GATEHOUSE_KUBECONFIG: writeKubeconfig(backend.cluster, 'proxied', backend.token, proxy.url) };
    return wait ? world.startReplica(environment) : world.createReplica(environment);
  };

  describe('with an API server that fails', () => {
    beforeAll(async () => {
      proxy = await startKubernetesProxy(getScene().backend.cluster);
      replica = await startProxiedReplica(true);
    }, 30_000);
    afterEach(() => proxy.inject(() => undefined));
    afterAll(async () => {
      await replica.service.close();
      await proxy.close();
    });

    it('answers 429 with Retry-After when the API server does, and writes nothing', async () => {
      proxy.inject((request) =>
        isPolicyWrite(request) ? { status: 429, headers: { 'retry-after': '0' } } : undefined,
      );
      const { status, body, headers } = await create('rate-limited');
      expect([status, body]).toMatchObject([429, { error: 'rate_limited' }]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await getScene().world.read('rate-limited')).toBeUndefined();
    });

    it('serves reads and completes writes when the API server is slow', async () => {
      proxy.inject((request) => (isPolicyWrite(request) ? { delayMs: 700 } : undefined));
      const created = await create('slow');
      expect([created.status, created.body.status?.observedGeneration]).toEqual([201, 1]);
      expect((await read('slow')).body).toEqual(created.body);
    });

    it('answers 503 when an answer is lost, and shows the write that the API server has made', async () => {
      proxy.inject((request) => (isPolicyWrite(request) ? 'cut-after' : undefined));
      expect((await create('lost-answer')).status).toBe(503);
      proxy.inject(() => undefined);
      await eventually(async () => (await read('lost-answer')).status === 200, 'the policy is visible');
      expect((await create('lost-answer')).status).toBe(409);
      await eventually(
        async () => (await read('lost-answer')).body.status?.observedGeneration === 1,
        'the policy has its status',
      );
    });

    it('sees changes from outside again after its watches were cut', async () => {
      proxy.cutConnections();
      await getScene().backend.apply('AIPolicy', createPolicy('after-cut'));
      await eventually(async () => (await read('after-cut')).status === 200, 'the policy is visible');
    });

    it('is not ready and names the Role when it may not read its resources', async () => {
      proxy.inject(({ path }) => (path.includes('gatehouse.dev') ? { status: 403 } : undefined));
      const refused = await startProxiedReplica(false);
      await eventually(async () => {
        const { status, body } = await refused.call('GET /readyz');
        return status === 503 && JSON.stringify(body).includes('deploy/rbac/ai-gateway-mgmt.yaml');
      }, 'the readiness names the Role');
      const { status } = await refused.call('GET /v1/policies', { token: getScene().world.tokens.admin });
      expect(status).toBe(503);
      proxy.inject(() => undefined);
      await eventually(async () => (await refused.call('GET /readyz')).status === 200, 'the service is ready', 20_000);
      await refused.service.close();
    });
  });
}
