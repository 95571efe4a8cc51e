import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { describeWhen } from './fixture.ts';
import { type KubernetesApi, kubernetesPrograms, startKubernetes } from './kubernetes.ts';

describeWhen(kubernetesPrograms(), 'a real Kubernetes API server', (programs) => {
  let api: KubernetesApi;
  beforeAll(async () => {
    api = await startKubernetes(programs);
  }, 90_000);
  afterAll(() => api.stop());

  it('serves custom resources and refuses what their schema forbids', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'doors.example.test' },
      spec: {
        group: 'example.test',
        scope: 'Namespaced',
        names: { plural: 'doors', singular: 'door', kind: 'Door', listKind: 'DoorList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { width: { type: 'integer', minimum: 1 } } } },
              },
            },
          },
        ],
      },
    };
    expect((await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(
      201,
    );
    const doors = '/apis/example.test/v1/namespaces/default/doors';
    const door = (name: string, width: number): object => ({
      apiVersion: 'example.test/v1',
      kind: 'Door',
      metadata: { name },
      spec: { width },
    });
    let first = await call('POST', doors, door('front', 2));
    for (let attempt = 0; attempt < 100 && first.status === 404; attempt += 1) {
      await new Promise((settle) => setTimeout(settle, 50));
      first = await call('POST', doors, door('front', 2));
    }
    expect(first.status).toBe(201);
    expect((await call('POST', doors, door('narrow', 0))).status).toBe(422);
  });

  it('enforces RBAC: a new service account has no read access', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await call('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader' } });
    const issued = await call('POST', `${accounts}/reader/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    });
    const { status } = JSON.parse(issued.body) as { status: { token: string } };
    expect((await call('GET', '/api/v1/namespaces/default/secrets', undefined, status.token)).status).toBe(403);
    expect((await call('GET', '/api/v1/namespaces/default/secrets')).status).toBe(200);
  });

  it('rejects a request without a token', async () => {
    expect((await call('GET', '/api/v1/namespaces', undefined, 'wrong')).status).toBe(401);
  });

  /**
   * Uses the certificate authority of the kubeconfig, so that a kubeconfig without a valid one
   * fails here.
   */
  function call(
    method: string,
    path: string,
    body?: unknown,
    token = api.token,
  ): Promise<{ status: number; body: string }> {
    const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as {
      clusters: [{ cluster: { 'certificate-authority-data': string } }];
    };
    const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64');
    return new Promise((settle, fail) => {
      const outgoing = request(
        `${api.url}${path}`,
        { method, ca, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('end', () => settle({ status: response.statusCode ?? 0, body: text }));
        },
      );
      outgoing.once('error', fail);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
});
