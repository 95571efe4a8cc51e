import { startClusterBackend } from '@gatehouse/testing/cluster-backend';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { describeDeadlines } from './support/deadlines-suite.ts';

describeWhen(kubernetesPrograms(), 'with resources in a cluster', (programs) => {
  describeDeadlines(() => startClusterBackend(programs, 'ai-gateway'));
});
