import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { effort } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import fc from 'fast-check';
import { FileResourceStore } from '../../src/files/file-resource-store.ts';
import { ResourceFolder } from '../../src/files/folder/resource-folder.ts';
import { TestFolder } from '../../src/files/test-folder.fixture.ts';
import { KubernetesResourceStore } from '../../src/kubernetes/kubernetes-resource-store.ts';
import { type Command, COMMANDS } from './commands.ts';
import { type Failure, type Stores, Transcript } from './transcript.ts';

/** Sequences that run at the same time. */
const PARALLEL = 4;
const SEQUENCES = 100 * effort;

const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && 'error' in answer;

/** Compares the answer of the folder with that of the API server. */
function compareAnswers(command: Command, actual: unknown, expected: unknown): void {
  if (!isFailure(expected)) {
    expect({ command, answer: actual }).toEqual({ command, answer: expected });
    return;
  }
  // The API server refuses unknown members before it compares versions.
  if (expected.error === 'invalid' && isFailure(actual) && actual.error === 'conflict') return;
  // It stops at the first kind of violations, so it can name fewer members.
  const isPartial = isFailure(actual) && actual.isPartial;
  const fields = isPartial ? expect.anything() : expect.arrayContaining([...expected.fields]);
  expect({ command, answer: actual }).toEqual({ command, answer: { error: expected.error, fields, isPartial } });
}

describeWhen(kubernetesPrograms(), 'a folder of files and a real kube-apiserver', (programs) => {
  let cluster: Cluster;
  let client: KubernetesClient;
  let namespaces = 0;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    await cluster.createDefinitions('crds/aipolicies.gatehouse.dev.yaml');
    await cluster.createDefinitions('crds/aigateways.gatehouse.dev.yaml');
    client = new KubernetesClient({ kubeconfigPath: cluster.api.kubeconfig });
  }, 90_000);
  afterAll(() => cluster.close());

  async function performInCluster(commands: readonly Command[]): Promise<Transcript> {
    const namespace = `sequence-${(namespaces += 1)}`;
    await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const stores: Stores = {
      AIPolicy: new KubernetesResourceStore(client, { kind: 'AIPolicy', namespace }),
      AIGateway: new KubernetesResourceStore(client, { kind: 'AIGateway', namespace }),
    };
    const transcript = new Transcript(stores);
    await transcript.perform(commands);
    return transcript;
  }

  async function performInFolder(commands: readonly Command[]): Promise<Transcript> {
    const files = new TestFolder();
    const folder = new ResourceFolder({ path: files.path, namespace: 'gatehouse' });
    const transcript = new Transcript({
      AIPolicy: new FileResourceStore(folder, 'AIPolicy'),
      AIGateway: new FileResourceStore(folder, 'AIGateway'),
    });
    try {
      await transcript.perform(commands);
    } finally {
      await folder.close();
      await files.close();
    }
    return transcript;
  }

  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

  async function compare(commands: readonly Command[]): Promise<void> {
    const [inCluster, inFolder] = await Promise.all([performInCluster(commands), performInFolder(commands)]);
    for (const [at, answer] of inCluster.answers.entries()) {
      const command = commands[at]!;
      count(`${command.type} ${typeof answer === 'string' ? answer : ((answer as Partial<Failure>).error ?? 'done')}`);
      compareAnswers(command, inFolder.answers[at], answer);
    }
    expect(inFolder.events).toEqual(inCluster.events);
  }

  it(
    'give the same answers to random sequences of operations',
    async () => {
      const sequences = fc.array(COMMANDS, { minLength: PARALLEL, maxLength: PARALLEL, size: 'max' });
      await fc.assert(
        fc.asyncProperty(sequences, async (batch) => {
          await Promise.all(batch.map(compare));
        }),
        { numRuns: SEQUENCES / PARALLEL },
      );
      const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
      console.info(sorted.map(([name, number]) => `${name}: ${number}`).join('\n'));
    },
    120_000 + SEQUENCES * 3_000,
  );
});
