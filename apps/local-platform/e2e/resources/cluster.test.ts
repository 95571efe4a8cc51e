import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { rmSync } from 'node:fs';
import { RunningPlatform, newHome, startPlatform, tryPlatform, until } from '../platform.ts';
import { describePreparation } from './resource-suite.ts';

jest.setTimeout(120_000);

describeWhen(kubernetesPrograms(), 'the resources of a platform in a cluster', (programs) => {
  let cluster: Cluster;
  let namespaces = 0;
  beforeAll(async () => {
    cluster = await startCluster(programs);
  });
  afterAll(() => cluster.close());

  const getEnvironment = (namespace = 'gatehouse') => ({
    GATEHOUSE_KUBECONFIG: cluster.api.kubeconfig,
    GATEHOUSE_NAMESPACE: namespace,
  });
  const failToStart = async (env: Record<string, string>): Promise<string> => {
    const home = newHome();
    const started = await tryPlatform({ home, env });
    if (started instanceof RunningPlatform) throw new Error('the platform started');
    rmSync(home, { recursive: true, force: true });
    return started.stderr;
  };

  describe('that lacks something', () => {
    it('end the start with the command that adds the definitions', async () => {
      const message = await failToStart(getEnvironment());
      expect(message).toContain('kubectl apply -f deploy/crds/aigateways.gatehouse.dev.yaml');
      expect(message).toContain(cluster.api.kubeconfig);
      expect(message).not.toMatch(/^\s+at /m);
    });

    it('end the start with the command that creates the namespace', async () => {
      for (const plural of ['aigateways', 'aipolicies'])
        await cluster.createDefinitions(`crds/${plural}.gatehouse.dev.yaml`);
      expect(await failToStart(getEnvironment('absent'))).toContain('kubectl create namespace absent');
    });

    it('end the start with the address that does not answer', async () => {
      const message = await failToStart({ GATEHOUSE_KUBECONFIG: '/nowhere/kubeconfig' });
      expect(message).toContain('/nowhere/kubeconfig');
      expect(message).toContain('Without GATEHOUSE_KUBECONFIG');
    });
  });

  describe('prepareResources', () => {
    describePreparation(async () => {
      const name = `platform-${(namespaces += 1)}`;
      await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      return { NAMESPACE: name, GATEHOUSE_KUBECONFIG: cluster.api.kubeconfig };
    });
  });

  describe('of a running platform', () => {
    const homes: string[] = [];
    let platform: RunningPlatform | undefined;
    afterEach(async () => {
      await platform?.remove();
      platform = undefined;
      for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
    });

    it('say on the first day what administrators may use', async () => {
      platform = await startPlatform({ env: getEnvironment() });
      const headers = { authorization: `Bearer ${await platform.token('admin')}` };
      const url = `${platform.json.urls.ai_gateway_mgmt}/v1/me`;
      await until('the policy matches', async () => {
        const body = (await (await fetch(url, { headers })).json()) as { matchedPolicies?: { name: string }[] };
        return body.matchedPolicies?.some(({ name }) => name === 'administrators') ?? false;
      });
      const gateway = await cluster.call('GET', '/apis/gatehouse.dev/v1alpha1/namespaces/gatehouse/aigateways/local');
      expect(JSON.parse(gateway.body)).toMatchObject({
        spec: { auth: { oidc: { issuer: platform.json.issuer } } },
      });
    });
  });
});
