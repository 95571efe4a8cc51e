import { describe, expect, it } from '@jest/globals';
import { startClusterBackend } from '@gatehouse/testing/cluster-backend';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { eventually } from '@gatehouse/testing/eventually';
import { describeLiveGateway } from './support/live-gateway-suite.ts';
import { createGateway, startService } from './support/service.ts';

const QUIET = { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' };

describeWhen(kubernetesPrograms(), 'AI gateway on a cluster', (programs) => {
  const getBackend = describeLiveGateway(() => startClusterBackend(programs, 'ai-gateway'));

  describe('the credential of a provider', () => {
    const PROVIDER = { name: 'main', kind: 'openai', endpoint: 'https://api.openai.com' } as const;
    const ISSUER = { issuer: 'http://127.0.0.1:1', audience: 'test' };
    const follow = (name: string) => {
      const providers = [{ ...PROVIDER, secretRef: { name, key: 'api-key' } }];
      return getBackend().apply('AIGateway', createGateway(ISSUER, { providers }));
    };

    it('is read from a Secret that the Role names, and readiness says why it cannot be read', async () => {
      const { cluster, namespace, ...backend } = getBackend();
      const service = await startService({ ...backend, namespace }, QUIET);
      const untilReadiness = (text: string) =>
        eventually(async () => {
          const response = await fetch(`${service.url}/readyz`);
          return (await response.text()).includes(text) && response.status === 200;
        }, `the readiness says ${text}`);
      try {
        await follow('openai');
        await untilReadiness('the Secret gatehouse/openai does not exist in the cluster');
        const path = `/api/v1/namespaces/${namespace}/secrets`;
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'openai' }, stringData: { other: 'x' } };
        await cluster.create(path, secret);
        await untilReadiness('has no key api-key');
        await cluster.call('PUT', `${path}/openai`, { ...secret, stringData: { 'api-key': 'sk-canary' } });
        await untilReadiness('{"status":"ready"}');
        await follow('not-in-the-role');
        await untilReadiness('does not let this gateway read the Secret gatehouse/not-in-the-role');
      } finally {
        await service.close();
      }
    }, 60_000);
  });

  describe('the service account', () => {
    it('is refused by the API server for verbs beyond its Role', async () => {
      const { cluster, namespace, token } = getBackend();
      const group = '/apis/gatehouse.dev/v1alpha1/namespaces';
      const requests: [method: string, path: string, body?: object][] = [
        ['GET', `${group}/${namespace}/aigateways/gateway-a`],
        ['PATCH', `${group}/${namespace}/aigateways/gateway-a`, { spec: {} }],
        ['PATCH', `${group}/${namespace}/aigateways/gateway-a/status`, { status: {} }],
        ['DELETE', `${group}/${namespace}/aigateways/gateway-a`],
        ['GET', `${group}/${namespace}/aipolicies/developers`],
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
