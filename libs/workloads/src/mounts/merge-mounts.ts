import { flagError } from '../errors/workload-error.ts';
import type { DeclaredMount } from './mount.ts';

/**
 * Merges the mounts of a profile and of `--volume`. A path that the profile both reads and writes
 * is writable. The same mount may be declared twice.
 * @throws WorkloadError (usage) when two declarations contradict each other
 */
export function mergeMounts(profile: readonly DeclaredMount[], volumes: readonly DeclaredMount[]): DeclaredMount[] {
  const merged = new Map<string, DeclaredMount>();
  for (const mount of profile) {
    const other = merged.get(mount.target);
    if (other !== undefined && other.source !== mount.source) throw createConflict(mount, other);
    merged.set(mount.target, { ...mount, readOnly: mount.readOnly && (other?.readOnly ?? true) });
  }
  for (const mount of volumes) {
    const other = merged.get(mount.target);
    if (other !== undefined && (other.source !== mount.source || other.readOnly !== mount.readOnly))
      throw createConflict(mount, other);
    merged.set(mount.target, mount);
  }
  return [...merged.values()];
}

const createConflict = (mount: DeclaredMount, other: DeclaredMount) =>
  flagError(
    mount.origin,
    `mounts ${mount.source} at ${mount.target}${mount.readOnly ? ' read-only' : ''}, where ${other.origin} mounts ${other.source}${other.readOnly ? ' read-only' : ''}`,
    'give each container path one mount',
  );
