import { WorkloadError } from '../errors/workload-error.ts';
import type { WorkloadStore } from '../state/store.ts';
import { DEFAULT_GROUP } from '../flags/group-name.ts';
import type { Group, Groups } from './groups.ts';

/** A group with the names of its workloads. */
export interface GroupWithWorkloads extends Group {
  readonly workloads: readonly string[];
}

/** The workloads that the removal of a group has removed or moved. */
export interface GroupRemoval {
  readonly removed_workloads: readonly string[];
  readonly moved_workloads: readonly string[];
}

/** Returns the names of the workloads of a group, sorted. A damaged one counts as `default`. */
export function listMembers(store: WorkloadStore, group: string): string[] {
  const members = store.list().filter(({ config }) => (config?.group || DEFAULT_GROUP) === group);
  return members.map(({ name }) => name);
}

/** Lists the groups with their workloads. */
export const listGroups = (groups: Groups, store: WorkloadStore): GroupWithWorkloads[] =>
  groups.list().map((group) => ({ ...group, workloads: listMembers(store, group.name) }));

/**
 * Removes a group. Its workloads are removed first, or move to the group `default`.
 * @param remove removes a workload; undefined: the workloads move
 * @throws WorkloadError (conflict) when a workload was added during the removal of the others
 */
export async function removeGroup(
  groups: Groups,
  store: WorkloadStore,
  name: string,
  remove: ((workload: string) => Promise<void>) | undefined,
): Promise<GroupRemoval> {
  const removed = remove === undefined ? [] : listMembers(store, name);
  for (const workload of removed) await remove?.(workload);
  const moved: string[] = [];
  await groups.remove(name, () => {
    const rest = listMembers(store, name);
    if (remove !== undefined && rest.length > 0) {
      const text = `Workloads were added to the group '${name}' meanwhile: ${rest.join(', ')}`;
      return Promise.reject(new WorkloadError('conflict', text, ['repeat the command']));
    }
    for (const workload of rest) {
      const config = store.read(workload)?.config;
      if (config !== undefined) store.writeConfig({ ...config, group: DEFAULT_GROUP });
      moved.push(workload);
    }
    return Promise.resolve();
  });
  return { removed_workloads: removed, moved_workloads: moved };
}
