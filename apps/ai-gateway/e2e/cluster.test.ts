import { describe, expect, it } from '@jest/globals';
import { startClusterBackend } from '@gatehouse/testing/cluster-backend';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { describeLiveGateway } from './support/live-gateway-suite.ts';

describeWhen(kubernetesPrograms(), 'AI gateway on a cluster', (programs) => {
  const getBackend = describeLiveGateway(() => startClusterBackend(programs, 'ai-gateway'));

  describe('the service account', () => {
    it('is refused by the API server for verbs beyond its Role', async () => {
      const { cluster, namespace, token } = getBackend();
      const group = '/apis/gatehouse.dev/v1alpha1/namespaces';
      const requests: [method: string, path: string, body?: object][] = [
        ['GET', `${group}/${namespace}/aigateways/gateway-a`],
        ['PATCH', `${group}/${namespace}/aigateways/gateway-a`, { spec: {} }],
        ['PATCH', `${group}/${namespace}/aigateways/gateway-a/status`, { status: {} }],
        ['DELETE', `${group}/${namespace}/aigateways/gateway-a`],
        ['GET', `${group}/${namespace}/aipolicies`],
        ['GET', `${group}/others/aigateways`],
        ['GET', `/api/v1/namespaces/${namespace}/secrets`],
      ];
      for (const [method, path, body] of requests) {
        const { status } = await cluster.call(method, path, body, token);
        expect([method, path, status]).toEqual([method, path, 403]);
      }
      expect((await cluster.call('GET', `${group}/${namespace}/aigateways`, undefined, token)).status).toBe(200);
    });
  });
});
