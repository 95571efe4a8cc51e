import { KubeconfigError, KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { getErrorMessage, WorkloadError, type WorkloadErrorCode } from '../errors/workload-error.ts';

/** A request to a cluster that failed. */
export class ClusterError extends WorkloadError {
  constructor(
    code: WorkloadErrorCode,
    message: string,
    tryNext: readonly string[],
    cause: unknown,
    /** The HTTP status of the answer; undefined without an answer. */
    readonly status: number | undefined,
  ) {
    super(code, message, tryNext, cause);
  }
}

/**
 * Converts an error of libs/kubernetes to one that says what to do next.
 * @param action the request, such as `list pods in the namespace tools`
 */
export function toClusterError(error: unknown, action: string): ClusterError {
  if (error instanceof ClusterError) return error;
  const create = (code: WorkloadErrorCode, message: string, tryNext: readonly string[], status?: number) =>
    new ClusterError(code, message, tryNext, error, status);
  if (error instanceof KubeconfigError)
    return create('no-engine', error.message, [
      'kubectl config get-contexts',
      '--kube-context CONTEXT   selects another one',
    ]);
  if (!(error instanceof KubernetesApiError)) return create('no-engine', describeLoss(error), ['kubectl cluster-info']);
  const { status, body } = error;
  const detail = body?.message ? `: ${body.message}` : ` (HTTP ${status})`;
  if (status === 401)
    return create(
      'no-engine',
      `The cluster does not accept your credentials${detail}`,
      ['kubectl auth whoami'],
      status,
    );
  if (status === 403)
    return create('failed', `The cluster does not let you ${action}${detail}`, ['kubectl auth can-i --list'], status);
  if (status === 409)
    return create(
      'conflict',
      `The cluster cannot ${action}, because the name is taken${detail}`,
      ['--name NAME   gives this workload another name'],
      status,
    );
  return create('failed', `The cluster cannot ${action}${detail}`, [], status);
}

/** The reason of a request without an answer. Errors of fetch have it in their cause. */
function describeLoss(error: unknown): string {
  const reasons: string[] = [];
  for (let at = error; at !== undefined && reasons.length < 4; at = (at as { cause?: unknown }).cause)
    reasons.push(getErrorMessage(at));
  const reason = reasons.filter((text) => text !== '' && text !== 'fetch failed').join(': ');
  return `The Kubernetes API does not answer: ${reason === '' ? 'fetch failed' : reason}`;
}
