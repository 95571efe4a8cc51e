import { describe, expect, it } from '@jest/globals';
import type { WorkloadState } from '@gatehouse/workloads/state/state';
import { selectStates, type StateFilter } from './select-states.ts';

const create = (name: string, fields: Partial<WorkloadState>): WorkloadState => ({
  ...{ name, package: '', url: '', port: 1, transport_type: 'stdio', status: 'running', created_at: '' },
  ...{ group: 'default', labels: {}, lost_proxy: false, restarts: 0, image: '', network_isolation: false },
  ...fields,
});
const STATES = [
  create('a', { labels: { tier: 'web', 'x.io/y': '' } }),
  create('b', { group: 'office', labels: { tier: 'web', zone: '1' } }),
  create('c', { group: 'office', status: 'stopped', labels: { tier: 'db' } }),
  create('d', { status: 'error' }),
  create('e', { status: 'unhealthy' }),
];
const NONE: StateFilter = { all: false, group: undefined, labels: [], statuses: [] };

describe('selectStates', () => {
  it.each<[Partial<StateFilter>, string]>([
    [{}, 'abe'],
    [{ all: true }, 'abcde'],
    [{ group: 'office' }, 'b'],
    [{ group: 'office', all: true }, 'bc'],
    [{ labels: ['tier=web'] }, 'ab'],
    [{ labels: ['tier'], all: true }, 'abc'],
    [{ labels: ['tier=web', 'zone=1'] }, 'b'],
    [{ labels: ['tier=web', 'tier=db'], all: true }, ''],
    [{ labels: ['x.io/y='] }, 'a'],
    [{ labels: [' tier = web '] }, 'ab'],
    [{ labels: ['constructor'], all: true }, ''],
    [{ statuses: ['stopped', 'error'] }, 'cd'],
    [{ statuses: ['stopped'], group: 'default' }, ''],
  ])('with %j selects %j', (filter, names) => {
    expect(
      selectStates(STATES, { ...NONE, ...filter })
        .map(({ name }) => name)
        .join(''),
    ).toEqual(names);
  });

  it.each(['', '=x', ' =x'])('refuses the label %j', (label) =>
    expect(() => selectStates(STATES, { ...NONE, labels: [label] })).toThrow('--label'),
  );
});
