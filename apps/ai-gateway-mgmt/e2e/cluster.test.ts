import { describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { startClusterBackend } from '@gatehouse/testing/cluster-backend';
import { eventually } from '@gatehouse/testing/eventually';
import { createPolicy } from './support/world.ts';
import { describeApiServerFaults } from './suites/api-server-faults.ts';
import { describeManagement } from './suites/management.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const RESOURCES = [
  'gatehouse.dev/aigateways',
  'gatehouse.dev/aigateways/status',
  'gatehouse.dev/aipolicies',
  'gatehouse.dev/aipolicies/status',
  'gatehouse.dev/mcpservers',
  '/secrets',
  '/configmaps',
  '/pods',
  '/services',
  '/serviceaccounts',
  '/serviceaccounts/token',
  'rbac.authorization.k8s.io/roles',
  'rbac.authorization.k8s.io/rolebindings',
  'apiextensions.k8s.io/customresourcedefinitions',
];
/** All that the service needs, and so all that its Role permits. */
const PERMITTED: Record<string, string[]> = {
  'gatehouse.dev/aigateways': ['list', 'watch'],
  'gatehouse.dev/aigateways/status': ['patch'],
  'gatehouse.dev/aipolicies': ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  'gatehouse.dev/aipolicies/status': ['patch'],
};

describeWhen(kubernetesPrograms(), 'AI gateway management on a cluster', (programs) => {
  const getScene = describeManagement(() => startClusterBackend(programs, 'ai-gateway-mgmt'));

  describeApiServerFaults(getScene);

  describe('without its API server', () => {
    it('serves reads, refuses writes with 503 and loses none, and continues when the API server is back', async () => {
      const { backend, first, world } = getScene();
      const token = world.tokens.admin;
      const path = { name: 'outlasting' };
      const created = await first.call('POST /v1/policies', { token, body: createPolicy(path.name) });
      const headers = { 'if-match': created.headers.get('etag') ?? '' };
      const patch = () =>
        first.call('PATCH /v1/policies/{name}', { token, path, headers, body: { spec: { description: 'later' } } });
      await backend.cluster.api.stopServer();
      try {
        expect(await first.call('GET /v1/policies/{name}', { token, path })).toMatchObject({ body: created.body });
        for (const write of [
          await patch(),
          await first.call('POST /v1/policies', { token, body: createPolicy('unlucky') }),
          await first.call('DELETE /v1/policies/{name}', { token, path, headers }),
        ])
          expect([write.status, write.body]).toMatchObject([
            503,
            { error: 'upstream_unavailable', violations: [{ message: expect.any(String) }] },
          ]);
        const warned = await eventually(async () => {
          const { status, body } = await first.call('GET /readyz');
          return JSON.stringify(body).includes('read last') ? status : undefined;
        }, 'the readiness warns');
        expect(warned).toBe(200);
      } finally {
        await backend.cluster.api.startServer();
      }
      expect((await patch()).status).toBe(200);
      await backend.apply('AIPolicy', createPolicy('after-restart'));
      await eventually(async () => {
        const { status } = await first.call('GET /v1/policies/{name}', { token, path: { name: 'after-restart' } });
        return status === 200;
      }, 'the change after the restart is visible');
      expect(await world.read('unlucky')).toBeUndefined();
      await eventually(
        async () => JSON.stringify((await first.call('GET /readyz')).body) === '{"status":"ready"}',
        'the readiness does not warn any more',
      );
    });
  });

  describe('the service account', () => {
    /** The verbs on a resource that the API server permits to the service account. */
    const listPermitted = async (resource: string, namespace: string): Promise<string[]> => {
      const { cluster, token } = getScene().backend;
      const [, group, name, subresource] = /^([^/]*)\/([^/]*)\/?(.*)$/.exec(resource) ?? [];
      const reviews = VERBS.map(async (verb) => {
        const attributes = { namespace, verb, group, resource: name, subresource };
        const review = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: attributes },
        };
        const { body } = await cluster.call(
          'POST',
          '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
          review,
          token,
        );
        return (JSON.parse(body) as { status: { allowed: boolean } }).status.allowed ? [verb] : [];
      });
      return (await Promise.all(reviews)).flat();
    };

    it.each(RESOURCES)('has only the verbs of its Role on %s, in its namespace only', async (resource) => {
      expect(await listPermitted(resource, getScene().backend.namespace)).toEqual(PERMITTED[resource] ?? []);
      expect(await listPermitted(resource, 'others')).toEqual([]);
    });

    it('is refused by the API server for verbs beyond its Role', async () => {
      const { backend, world } = getScene();
      const { cluster, token, namespace } = backend;
      const group = '/apis/gatehouse.dev/v1alpha1/namespaces';
      const gateway = { apiVersion: 'gatehouse.dev/v1alpha1', kind: 'AIGateway', ...world.gateway() };
      const requests: [method: string, path: string, body?: object][] = [
        ['GET', `${group}/${namespace}/aigateways/gateway-a`],
        ['POST', `${group}/${namespace}/aigateways`, gateway],
        ['PATCH', `${group}/${namespace}/aigateways/gateway-a`, { spec: {} }],
        ['DELETE', `${group}/${namespace}/aigateways/gateway-a`],
        ['GET', `${group}/${namespace}/aigateways/gateway-a/status`],
        ['PUT', `${group}/${namespace}/aigateways/gateway-a/status`, gateway],
        ['PUT', `${group}/${namespace}/aipolicies/sample`, {}],
        ['DELETE', `${group}/${namespace}/aipolicies`],
        ['GET', `${group}/others/aipolicies`],
        ['GET', '/apis/gatehouse.dev/v1alpha1/aipolicies'],
        ['GET', `/api/v1/namespaces/${namespace}/secrets`],
      ];
      for (const [method, path, body] of requests) {
        const { status } = await cluster.call(method, path, body, token);
        expect([method, path, status]).toEqual([method, path, 403]);
      }
    });
  });
});
