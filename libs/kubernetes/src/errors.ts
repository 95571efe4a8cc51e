import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The Kubernetes API answered a request with an error. */
export class KubernetesApiError extends GatehouseError {
  override readonly code = 'kubernetes_api_failed';

  constructor(
    /** HTTP status of the response, or `code` of the event that ended a watch. */
    readonly status: number,
    path: string,
  ) {
    super(`the Kubernetes API answers ${status} for ${path}`);
  }
}

/**
 * Gives errors of @kubernetes/client-node one shape. Its own message repeats the headers and the
 * body of the response, which can hold secrets.
 * @returns a KubernetesApiError for an error with an HTTP status, else the error itself
 */
export function toKubernetesApiError(error: unknown, path: string): unknown {
  if (error instanceof KubernetesApiError || !(error instanceof Error)) return error;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const status = typeof statusCode === 'number' ? statusCode : code;
  return typeof status === 'number' ? new KubernetesApiError(status, path) : error;
}
