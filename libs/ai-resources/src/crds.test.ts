import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, manifest, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { setTimeout as sleep } from 'node:timers/promises';
import { POLICY } from './resources.fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLICIES = '/apis/gatehouse.dev/v1alpha1/namespaces/gatehouse/aipolicies';

interface Condition {
  readonly type: string;
  readonly status: string;
}

describeWhen(kubernetesPrograms(), 'the CustomResourceDefinitions', (programs) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    for (const name of ['aigateways', 'aipolicies'])
      await cluster.create(DEFINITIONS, manifest(`crds/${name}.gatehouse.dev.yaml`).join('\n'));
  }, 90_000);
  afterAll(() => cluster.close());

  it.each(['aigateways', 'aipolicies'])('are accepted by a real API server: %s', async (name) => {
    const conditions = await readConditions(name);
    expect(conditions).not.toContainEqual(expect.objectContaining({ type: 'NonStructuralSchema' }));
  });

  it('forbid a change of the gateway of a policy', async () => {
    await cluster.create(POLICIES, { ...POLICY, metadata: { name: 'moved' } });
    const { status, body } = await cluster.call('PATCH', `${POLICIES}/moved`, {
      spec: { gatewayRef: { name: 'other' } },
    });
    expect({ status, body }).toMatchObject({ status: 422, body: expect.stringContaining('cannot be changed') });
  });

  /** Waits until the API serves the type. @returns the conditions of its definition */
  async function readConditions(name: string): Promise<readonly Condition[]> {
    for (;;) {
      const { body } = await cluster.call('GET', `${DEFINITIONS}/${name}.gatehouse.dev`);
      const { status } = JSON.parse(body) as { status: { conditions?: Condition[] } };
      const conditions = status.conditions ?? [];
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return conditions;
      await sleep(20);
    }
  }
});
