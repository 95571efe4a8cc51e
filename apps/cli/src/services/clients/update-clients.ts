import type { WorkloadState } from '@gatehouse/workloads/state/state';
import { describeProblems } from './describe-changes.ts';
import type { WorkloadClients } from './workload-clients.ts';

/**
 * Makes MCP clients list the workloads that run, after a command has started or stopped some.
 * Problems are warnings.
 * @param states the present states of the workloads, or a function that reads them when needed
 * @param names the workloads whose entries may change; default: all
 * @returns whether the clients are up to date
 */
export async function updateClients(
  clients: WorkloadClients,
  states: readonly WorkloadState[] | (() => Promise<readonly WorkloadState[]>),
  names: readonly string[] | undefined,
  say: (text: string) => void,
): Promise<boolean> {
  try {
    if (!clients.isUsed()) return false;
    const changes = await clients.update(typeof states === 'function' ? await states() : states, names);
    for (const problem of describeProblems(changes)) say(`Warning: ${problem}`);
    return true;
  } catch (error) {
    say(`Warning: MCP clients were not updated: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
