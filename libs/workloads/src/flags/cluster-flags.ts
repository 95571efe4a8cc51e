import { flagError } from '../errors/workload-error.ts';
import { type ClusterSelection, requireNamespaceName } from './cluster-address.ts';

/** The flags that select the runtime of a workload. */
export interface ClusterFlags {
  readonly runtime?: string | undefined;
  readonly kubeContext?: string | undefined;
  readonly kubeNamespace?: string | undefined;
}

/**
 * Parses `--runtime`, `--kube-context` and `--kube-namespace`.
 * @returns undefined for the container engine
 * @throws WorkloadError (usage)
 */
export function parseCluster({ runtime, kubeContext, kubeNamespace }: ClusterFlags): ClusterSelection | undefined {
  if (runtime !== undefined && runtime !== 'engine' && runtime !== 'kubernetes')
    throw flagError(`--runtime ${runtime}`, 'is not a runtime; give engine or kubernetes');
  if (kubeContext === '') throw flagError('--kube-context', 'is empty', 'kubectl config get-contexts');
  const namespace = kubeNamespace === undefined ? undefined : requireNamespaceName('--kube-namespace', kubeNamespace);
  if (runtime === 'kubernetes') return { context: kubeContext, namespace };
  const flag =
    kubeContext !== undefined ? '--kube-context' : kubeNamespace !== undefined ? '--kube-namespace' : undefined;
  if (flag !== undefined) throw flagError(flag, 'has a meaning with --runtime kubernetes only');
  return undefined;
}
