import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { z } from 'zod';

/** One member of an object that the Kubernetes API refuses. */
const Cause = z.looseObject({ field: z.string().default(''), message: z.string().default('') });

/** The body of a failure (`Status` of meta/v1), with the members that are used. */
const Status = z.looseObject({
  kind: z.literal('Status'),
  reason: z.string().optional(),
  message: z.string().default(''),
  details: z
    .looseObject({
      name: z.string().optional(),
      group: z.string().optional(),
      kind: z.string().optional(),
      causes: z.array(Cause).default([]),
      retryAfterSeconds: z.number().optional(),
    })
    .optional(),
});
export type KubernetesStatus = z.infer<typeof Status>;

/** The Kubernetes API answered a request with an error. */
export class KubernetesApiError extends GatehouseError {
  override readonly code = 'kubernetes_api_failed';

  constructor(
    /** HTTP status of the response, or `code` of the event that ended a watch. */
    readonly status: number,
    path: string,
    {
      body,
      retryAfterMs,
    }: { readonly body?: KubernetesStatus | undefined; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`the Kubernetes API answers ${status} for ${path}`, { retryAfterMs });
    if (body !== undefined) this.body = body;
  }

  /** The body of the response. It can repeat members of the sent object. */
  readonly body?: KubernetesStatus;
}

/** The members of the errors of @kubernetes/client-node. */
interface LibraryError {
  code?: unknown;
  statusCode?: unknown;
  body?: unknown;
  headers?: Readonly<Record<string, string | undefined>>;
}

/**
 * Gives errors of @kubernetes/client-node one shape. Its own message repeats the headers and the
 * body of the response, which can hold secrets.
 * @param keepBody whether the error keeps the body of the response
 * @returns a KubernetesApiError for an error with an HTTP status, else the error itself
 */
export function toKubernetesApiError(error: unknown, path: string, { keepBody = false } = {}): unknown {
  if (error instanceof KubernetesApiError || !(error instanceof Error)) return error;
  const { code, statusCode, body, headers } = error as LibraryError;
  const status = typeof statusCode === 'number' ? statusCode : code;
  if (typeof status !== 'number' || !isHttpStatus(status)) return error;
  const answer = readStatus(body);
  const seconds = answer?.details?.retryAfterSeconds ?? Number(headers?.['retry-after'] ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return new KubernetesApiError(status, path, { body: keepBody ? answer : undefined, retryAfterMs });
}

/** A timeout has a numeric code, too: that of a DOMException, which is below 100. */
const isHttpStatus = (code: number): boolean => code >= 100 && code <= 599;

/** @param body an object, or the text of the response */
function readStatus(body: unknown): KubernetesStatus | undefined {
  try {
    return Status.safeParse(typeof body === 'string' ? JSON.parse(body) : body).data;
  } catch {
    return undefined;
  }
}

/** A kubeconfig file is missing or cannot be used. */
export class KubeconfigError extends GatehouseError {
  override readonly code = 'kubeconfig_invalid';
}
