import type { Workloads } from '@gatehouse/workloads/lifecycle';
import { UsageError, CommandFailedError } from '../errors/cli-error.ts';

/** The workloads that a command applies to, as typed. */
export interface WorkloadSelection {
  readonly names: readonly string[];
  readonly all: boolean;
  readonly group: string | undefined;
}

/**
 * The workloads that a command applies to: the named ones, all, or those of a group.
 * @param say receives a message when there are none
 * @throws UsageError unless exactly one of the three is given
 */
export function selectWorkloadNames(
  workloads: Workloads,
  { names, all, group }: WorkloadSelection,
  say: (text: string) => void,
): string[] {
  const flag = all ? '--all' : '--group';
  if (all && group !== undefined) throw new UsageError('--all and --group cannot be given together');
  if ((all || group !== undefined) && names.length > 0)
    throw new UsageError(`${flag} and names cannot be given together`);
  if (!all && group === undefined && names.length === 0)
    throw new UsageError('Give the name of a workload, --group or --all', ['gatehouse list -a']);
  if (names.length > 0) return [...new Set(names)];
  const members = workloads.listNames(group);
  if (members.length === 0) say(group === undefined ? 'There is no workload' : `The group '${group}' has no workload`);
  return members;
}

/**
 * Runs an operation on several workloads, one after the other. After a failure it continues with
 * the next workload.
 * @throws the only failure, or an error with the number of failures
 */
export async function forEach(
  names: readonly string[],
  say: (text: string) => void,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const name of names) {
    try {
      await work(name);
    } catch (error) {
      failures.push(error);
      if (names.length > 1) say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (failures.length === 0) return;
  if (names.length === 1) throw failures[0];
  throw new CommandFailedError(`${failures.length} of ${names.length} workloads failed`);
}
