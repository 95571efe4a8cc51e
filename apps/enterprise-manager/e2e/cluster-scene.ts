import { type KubernetesApi, startKubernetes } from '@gatehouse/testing/kubernetes';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '@gatehouse/testing/cache';

/** A real cluster API, and a service account of it as which the service runs. */
export interface TestCluster {
  api: KubernetesApi;
  /** Settings of a service that asks this cluster. @param account default that of the deployment, with the rights of `deploy/rbac` */
  environment(account?: string): Promise<Record<string, string>>;
  /** Calls the API. @param body an object, or a manifest in YAML */
  call(method: string, path: string, body?: object | string, token?: string): Promise<{ status: number; body: string }>;
  /** A token of a service account in the namespace `gatehouse`, which is made where there is none. */
  tokenOf(account: string): Promise<string>;
  /** Makes a namespaced object. @returns its UID */
  make(collection: string, object: object): Promise<string>;
  /** Makes the definition of a custom resource of anybody, and waits until it is served. */
  define(group: string, version: string, plural: string, kind: string): Promise<void>;
  close(): Promise<void>;
}

/** Documents of a manifest of this repository. */
const manifest = (path: string): string[] => readFileSync(join(repositoryRoot, 'deploy', path), 'utf8').split(/^---$/m);

/** Starts a cluster with the definitions and rights of `deploy/`. */
export async function startCluster(programs: string): Promise<TestCluster> {
  const api = await startKubernetes(programs);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
  const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { 'certificate-authority-data': string } }];
  };
  const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64');
  writeFileSync(join(folder, 'ca.crt'), ca);
  const call: TestCluster['call'] = (method, path, body, token = api.token) =>
    new Promise((settle, fail) => {
      const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : type,
      };
      request(`${api.url}${path}`, { method, ca, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => settle({ status: response.statusCode ?? 0, body: text }));
      })
        .once('error', fail)
        .end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  const create = async (path: string, body: object | string) => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await call('POST', path, body);
      if (answer.status === 201 || answer.status === 409) return answer.body;
      // A definition is served a moment after it was made, a namespace takes a service account a moment later.
      if (attempt === 100) throw new Error(`POST ${path} answers ${answer.status}: ${answer.body}`);
      await sleep(50);
    }
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const served = async (path: string) => {
    while ((await call('GET', path)).status !== 200) await sleep(50);
  };
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const [role, binding] = manifest('rbac/enterprise-manager-discovery.yaml');
  for (const name of ['gatehouse', 'tools', 'others'])
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await create(`${roles}/clusterroles`, role ?? '');
  await create(`${roles}/clusterrolebindings`, binding ?? '');
  await create(definitions, manifest('crds/mcpservers.gatehouse.dev.yaml').join(''));
  await served('/apis/gatehouse.dev/v1alpha1/mcpservers');
  const tokenOf = async (account: string) => {
    const accounts = '/api/v1/namespaces/gatehouse/serviceaccounts';
    await create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account } });
    const issued = await create(`${accounts}/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3_600 },
    });
    return (JSON.parse(issued) as { status: { token: string } }).status.token;
  };
  return {
    api,
    call,
    tokenOf,
    environment: async (account = 'enterprise-manager') => {
      writeFileSync(join(folder, account), `${await tokenOf(account)}\n`, { mode: 0o600 });
      return {
        DISCOVERY_KUBERNETES_URL: api.url,
        DISCOVERY_CA_PATH: join(folder, 'ca.crt'),
        DISCOVERY_TOKEN_PATH: join(folder, account),
      };
    },
    make: async (collection, object) =>
      (JSON.parse(await create(collection, object)) as { metadata: { uid: string } }).metadata.uid,
    define: async (group, version, plural, kind) => {
      const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await create(definitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
          versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: open } }],
        },
      });
      await served(`/apis/${group}/${version}/${plural}`);
    },
    close: async () => {
      await api.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
