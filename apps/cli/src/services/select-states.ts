import type { WorkloadState } from '@gatehouse/workloads/state/state';
import { invalidFlag } from '../errors/cli-error.ts';

/** The values of `--status`. */
export const STATUSES = ['starting', 'running', 'unhealthy', 'stopping', 'stopped', 'removing', 'error'] as const;

/** The filters of `gatehouse list`. */
export interface StateFilter {
  /** Also workloads that do not run, without `--status`. */
  readonly all: boolean;
  readonly group: string | undefined;
  /** `key=value`, or `key` for any value. */
  readonly labels: readonly string[];
  readonly statuses: readonly WorkloadState['status'][];
}

/**
 * Selects the workloads that match all filters.
 * @throws UsageError for a label without a key
 */
export function selectStates(states: readonly WorkloadState[], filter: StateFilter): WorkloadState[] {
  const { all, group, statuses } = filter;
  const labels = filter.labels.map(parseLabel);
  const hasStatus = ({ status }: WorkloadState) =>
    statuses.length > 0 ? statuses.includes(status) : all || !['stopped', 'error'].includes(status);
  const hasLabels = (state: WorkloadState) =>
    labels.every(([key, value]) =>
      value === undefined ? Object.hasOwn(state.labels, key) : state.labels[key] === value,
    );
  return states.filter((state) => hasStatus(state) && (group ?? state.group) === state.group && hasLabels(state));
}

function parseLabel(text: string): readonly [string, string | undefined] {
  const [, key = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (key.trim() === '') throw invalidFlag(`--label ${text}`, 'has no key; give key=value or key');
  return [key.trim(), value?.trim()];
}
