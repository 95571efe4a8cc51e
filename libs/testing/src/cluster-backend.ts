import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Cluster, manifest, startCluster } from './cluster.ts';
import type { ResourceBackend, ResourceKind, WrittenResource } from './resource-backend.ts';

const NAMESPACE = 'gatehouse';
const PLURALS: Readonly<Record<ResourceKind, string>> = { AIGateway: 'aigateways', AIPolicy: 'aipolicies' };
const PERMISSIONS = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;

/** A backend in a cluster, with access to the cluster. */
export interface ClusterBackend extends ResourceBackend {
  readonly cluster: Cluster;
  /** The token of the service account of the service. */
  readonly token: string;
}

/**
 * Starts a cluster with the CRDs of deploy/crds. The service runs with the service account of its
 * name, which has only the Role of its file in deploy/rbac.
 */
export async function startClusterBackend(programs: string, service: string): Promise<ClusterBackend> {
  const cluster = await startCluster(programs);
  for (const plural of Object.values(PLURALS)) await cluster.createDefinitions(`crds/${plural}.gatehouse.dev.yaml`);
  const [role, binding] = manifest(`rbac/${service}.yaml`);
  await cluster.create(`${PERMISSIONS}/roles`, role ?? '');
  await cluster.create(`${PERMISSIONS}/rolebindings`, binding ?? '');
  const token = await cluster.createToken(service);
  const { kubeconfig } = cluster.api;
  return {
    namespace: NAMESPACE,
    environment: { GATEHOUSE_KUBECONFIG: writeKubeconfig(cluster, 'service', token) },
    adminSettings: { GATEHOUSE_KUBECONFIG: kubeconfig },
    cluster,
    token,
    apply: (kind, resource) => applyObject(cluster, kind, resource),
    remove: async (kind, name) => {
      await cluster.call('DELETE', getPath(kind, name));
    },
    close: () => cluster.close(),
  };
}

const getPath = (kind: ResourceKind, name = ''): string =>
  `/apis/gatehouse.dev/v1alpha1/namespaces/${NAMESPACE}/${PLURALS[kind]}${name && `/${name}`}`;

/** Creates an object, or replaces its present version. */
async function applyObject(cluster: Cluster, kind: ResourceKind, resource: WrittenResource): Promise<void> {
  const object = { apiVersion: 'gatehouse.dev/v1alpha1', kind, ...resource };
  const path = getPath(kind, resource.metadata.name);
  const current = await cluster.call('GET', path);
  if (current.status === 404) {
    await cluster.create(getPath(kind), object);
    return;
  }
  const { metadata } = JSON.parse(current.body) as { metadata: { resourceVersion: string } };
  const { resourceVersion } = metadata;
  const { status, body } = await cluster.call('PUT', path, {
    ...object,
    metadata: { ...object.metadata, resourceVersion },
  });
  // The service may have written the status in between.
  if (status === 409) return applyObject(cluster, kind, resource);
  if (status !== 200) throw new Error(`PUT ${path} answers ${status}: ${body}`);
}

/**
 * Writes a kubeconfig of the cluster with another token, and perhaps another address.
 * @returns its path
 */
export function writeKubeconfig({ api }: Cluster, name: string, token: string, server = api.url): string {
  const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as {
    clusters: [{ cluster: object }];
    users: [{ user: object }];
  };
  Object.assign(config.clusters[0].cluster, { server });
  config.users[0].user = { token };
  const path = join(dirname(api.kubeconfig), `${name}-kubeconfig`);
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
