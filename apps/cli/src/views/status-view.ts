import type { WorkloadState } from '@gatehouse/workloads/state/state';
import { formatAge, formatDetails, printable } from '../terminal/output.ts';

/**
 * The lines of `gatehouse status`.
 * @param clients the MCP clients of the group
 */
export function formatStatus(state: WorkloadState, clients: readonly string[], now: Date): string[] {
  const { group, labels, started_at: started, restarts, image, network_isolation: isIsolated } = state;
  const rows: [string, string][] = [
    ['Group', group],
    [
      'Labels',
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(', '),
    ],
    ['Clients', clients.join(', ')],
    ['Isolation', isIsolated ? 'network isolated' : 'network not isolated'],
    ...(image === state.package ? [] : [['Built', image] as [string, string]]),
    ['Started', started === undefined ? '' : `${started} (${formatAge(started, now)})`],
    ['Restarts', String(restarts)],
  ];
  return [
    ...formatDetails(state),
    ...rows.map(([label, value]) => `${label.padEnd(10)} ${value === '' ? '-' : printable(value)}`),
  ];
}
