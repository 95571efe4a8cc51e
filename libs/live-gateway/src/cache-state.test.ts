import { describe, expect, it } from '@jest/globals';
import type { WatchState } from '@gatehouse/ai-resources/resource-store';
import { describeProblems, explainMissingResources } from './cache-state.ts';

const createState = (status: WatchState['status'] | undefined, isSynced: boolean, problems: string[] = []) => ({
  kind: 'AIPolicy' as const,
  namespace: 'team-a',
  role: 'ai-gateway-mgmt.yaml',
  isSynced,
  watch: status && { status, problems },
});

describe('explainMissingResources', () => {
  it.each([
    [undefined, false, 'are not read yet'],
    ['unreachable', false, 'their store does not answer'],
    ['absent', false, 'deploy/crds'],
    ['absent', true, 'deploy/crds'],
    ['forbidden', false, 'deploy/rbac/ai-gateway-mgmt.yaml'],
    ['forbidden', true, 'deploy/rbac/ai-gateway-mgmt.yaml'],
  ] as const)('explains the state %s (synced: %s)', (status, isSynced, reason) => {
    expect(explainMissingResources(createState(status, isSynced))).toContain(reason);
  });

  it.each(['following', 'unreachable'] as const)('permits known resources in the state %s', (status) => {
    expect(explainMissingResources(createState(status, true))).toBeUndefined();
  });

  it('names the problems of a store that cannot be used', () => {
    const problem = 'The folder /r cannot be used: file is not a database.';
    expect(explainMissingResources(createState('unreachable', false, [problem]))).toBe(
      `the AIPolicy resources of the namespace team-a cannot be read: ${problem}`,
    );
  });
});

describe('describeProblems', () => {
  it('lists the problems of the store', () => {
    expect(describeProblems(createState('following', true, ['a.yaml:1:2: x']))).toEqual(['a.yaml:1:2: x']);
    expect(describeProblems(createState(undefined, false))).toEqual([]);
  });

  it('says that resources are old while the store does not answer', () => {
    expect(describeProblems(createState('unreachable', true))).toEqual([expect.stringContaining('read last')]);
  });
});
