import { type Cluster, manifest, startCluster as startPlainCluster } from '@gatehouse/testing/cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** A real Kubernetes API with a service account for the service. */
export interface TestCluster extends Omit<Cluster, 'create'> {
  /**
   * Returns the settings of a service in this cluster.
   * @param account default is the account of the deployment, with the rights of `deploy/rbac`
   */
  getEnvironment(account?: string): Promise<Record<string, string>>;
  /** Creates a namespaced object. @returns its UID */
  make(collection: string, object: object): Promise<string>;
  /** Creates the definition of a custom resource, and waits until it is served. */
  defineResource(group: string, version: string, plural: string, kind: string): Promise<void>;
}

/** Starts a cluster with the definitions and rights of `deploy/`. */
export async function startCluster(programs: string): Promise<TestCluster> {
  const { create, ...cluster } = await startPlainCluster(programs);
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const waitUntilServed = async (path: string) => {
    while ((await cluster.call('GET', path)).status !== 200) await sleep(50);
  };
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const [role, binding] = manifest('rbac/enterprise-manager-discovery.yaml');
  await create(`${roles}/clusterroles`, role ?? '');
  await create(`${roles}/clusterrolebindings`, binding ?? '');
  await create(definitions, manifest('crds/mcpservers.gatehouse.dev.yaml').join(''));
  await waitUntilServed('/apis/gatehouse.dev/v1alpha1/mcpservers');
  return {
    ...cluster,
    getEnvironment: async (account = 'enterprise-manager') => ({
      DISCOVERY_KUBERNETES_URL: cluster.api.url,
      DISCOVERY_CA_PATH: cluster.caPath,
      DISCOVERY_TOKEN_PATH: await cluster.createTokenFile(account),
    }),
    make: async (collection, object) =>
      (JSON.parse(await create(collection, object)) as { metadata: { uid: string } }).metadata.uid,
    defineResource: async (group, version, plural, kind) => {
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
      await waitUntilServed(`/apis/${group}/${version}/${plural}`);
    },
  };
}
