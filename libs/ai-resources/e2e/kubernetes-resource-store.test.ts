import { afterAll, beforeAll } from '@jest/globals';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { describeResourceStore } from './store-suite/resource-store-suite.ts';
import { KubernetesResourceStore } from '../src/kubernetes/kubernetes-resource-store.ts';

describeWhen(kubernetesPrograms(), 'a Kubernetes API', (programs) => {
  let cluster: Cluster;
  let namespaces = 0;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    await cluster.createDefinitions('crds/aipolicies.gatehouse.dev.yaml');
    await cluster.createDefinitions('crds/aigateways.gatehouse.dev.yaml');
  }, 90_000);
  afterAll(() => cluster.close());

  /** The API server keeps the latest lists in memory, until it starts again. */
  const expireTokens = async () => {
    await cluster.createToken('someone');
    await cluster.api.compact();
    await cluster.api.stopServer();
    await cluster.api.startServer();
  };

  describeResourceStore('KubernetesResourceStore', async () => {
    const namespace = `store-${(namespaces += 1)}`;
    await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const client = () => new KubernetesClient({ kubeconfigPath: cluster.api.kubeconfig });
    return {
      namespace,
      policies: new KubernetesResourceStore(client(), { kind: 'AIPolicy', namespace }),
      gateways: new KubernetesResourceStore(client(), { kind: 'AIGateway', namespace }),
      replica: new KubernetesResourceStore(client(), { kind: 'AIPolicy', namespace }),
      expireTokens,
      close: () => Promise.resolve(),
    };
  });
});
