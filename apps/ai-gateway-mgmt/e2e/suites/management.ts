import { afterAll, beforeAll } from '@jest/globals';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import type { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';
import { describeAuditLines, describeLogSecrets } from './audit-lines.ts';
import { describeBadInput } from './bad-input.ts';
import { describeCaller } from './caller.ts';
import { describeContract } from './contract.ts';
import { describeConvergence } from './convergence.ts';
import { describeFreshness } from './freshness.ts';
import { describeGatewayStatus } from './gateway-status.ts';
import { describeModels } from './models.ts';
import { describePolicies } from './policies.ts';
import { describePolicyLists } from './policy-lists.ts';
import { describePolicyStatus } from './policy-status.ts';
import { describeReplicas } from './replicas.ts';

/**
 * Defines the tests of the service that hold on every backend.
 * @returns a function that returns the scene, for further tests of the backend
 */
export function describeManagement<B extends ResourceBackend>(startBackend: () => B | Promise<B>): () => Scene<B> {
  let scene: Scene<B>;
  beforeAll(async () => {
    const backend = await startBackend();
    const world = await World.start(backend);
    const [first, second] = await Promise.all([world.startReplica(), world.startReplica()]);
    scene = { backend, world, first, second };
  }, 120_000);
  afterAll(() => scene.world.close());
  const getScene = () => scene;
  describePolicies(getScene);
  describePolicyLists(getScene);
  describePolicyStatus(getScene);
  describeGatewayStatus(getScene);
  describeBadInput(getScene);
  describeModels(getScene);
  describeCaller(getScene);
  describeReplicas(getScene);
  describeConvergence(getScene);
  describeAuditLines(getScene);
  describeFreshness(getScene);
  describeContract(getScene);
  describeLogSecrets(getScene);
  return getScene;
}
