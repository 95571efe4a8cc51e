import type { ResourceKind } from '@gatehouse/ai-resources/resource';
import type { WatchState } from '@gatehouse/ai-resources/resource-store';

/** The resources of one kind that a service reads. */
export interface KindDescription {
  readonly kind: ResourceKind;
  readonly namespace: string;
  /** The file of deploy/rbac with the permissions of the service. */
  readonly role: string;
}

/** The state of the cache of one kind of resources. */
export interface CacheState extends KindDescription {
  /** Whether all resources were read once. */
  readonly isSynced: boolean;
  /** The last reported state of the watch; undefined before its first report. */
  readonly watch: WatchState | undefined;
}

/**
 * Explains why the resources of a kind cannot be used now. While the store does not answer, the
 * resources that it reported last stay in use.
 * @returns a sentence for callers; undefined if the resources can be used
 */
export function explainMissingResources({ kind, namespace, role, isSynced, watch }: CacheState): string | undefined {
  if (watch?.status === 'absent')
    return `the cluster does not have the resource type ${kind}; apply the definitions in deploy/crds`;
  if (watch?.status === 'forbidden')
    return `this service may not read the ${kind} resources of the namespace ${namespace}; apply deploy/rbac/${role}`;
  if (isSynced) return undefined;
  const subject = `the ${kind} resources of the namespace ${namespace}`;
  if (watch?.status !== 'unreachable') return `${subject} are not read yet; try again in a moment`;
  const reason = watch.problems.length > 0 ? watch.problems.join('; ') : 'their store does not answer; try again later';
  return `${subject} cannot be read: ${reason}`;
}

/** The sentences about resources that stay as they were last read. */
export function describeProblems({ kind, isSynced, watch }: CacheState): readonly string[] {
  const isStale = isSynced && watch?.status === 'unreachable';
  return [
    ...(isStale ? [`the ${kind} resources are those that were read last, because their store does not answer`] : []),
    ...(watch?.problems ?? []),
  ];
}
