import { expect, it } from '@jest/globals';
import { formatStatus } from './status-view.ts';

it('shows group, labels, clients, isolation, start and restarts of a workload', () => {
  const state = {
    ...{ name: 'one', package: 'npx://x', url: 'http://127.0.0.1:1/mcp', port: 1, transport_type: 'stdio' },
    ...{ status: 'running' as const, created_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T01:00:00Z' },
    ...{ group: 'office', labels: { tier: 'web', zone: '' }, lost_proxy: false, restarts: 2 },
    ...{ image: 'built:1', network_isolation: true },
  };
  expect(formatStatus(state, ['cursor'], new Date('2026-01-01T03:00:00Z')).slice(6)).toEqual([
    'Group      office',
    'Labels     tier=web, zone=',
    'Clients    cursor',
    'Isolation  network isolated',
    'Built      built:1',
    'Started    2026-01-01T01:00:00Z (2 hours ago)',
    'Restarts   2',
  ]);
});
