import { KubeconfigError, KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { ResourceStoreError, type ResourceStoreErrorCode } from '../resource-store.ts';
import { listObjectViolations } from './object-violations.ts';

/** A request to the API, for the messages of its failures. */
export interface ResourceRequest {
  readonly verb: 'get' | 'list' | 'create' | 'patch' | 'delete';
  readonly kind: string;
  /** The resource type and its group, such as `aipolicies.gatehouse.dev`. */
  readonly type: string;
  readonly namespace: string;
  readonly name?: string;
  /** The sent object or patch. */
  readonly body?: unknown;
}

/** Turns the failure of a request into the error of a resource store. */
export function toStoreError(error: unknown, request: ResourceRequest): ResourceStoreError {
  if (error instanceof ResourceStoreError) return error;
  if (!(error instanceof KubernetesApiError))
    return createError('unavailable', describeNetworkFailure(error, request), error);
  const { status, body, retryAfterMs } = error;
  const { reason, details, message = '' } = body ?? {};
  const resource = `${request.kind} ${request.name ?? ''}`.trim();
  switch (status) {
    case 404:
      return isAboutResource(error, request)
        ? createError('not_found', `The ${resource} does not exist.`, error)
        : createError('unavailable', describeMissingType(request, details?.kind), error);
    case 409:
      return reason === 'AlreadyExists'
        ? createError('already_exists', `The ${resource} exists already.`, error)
        : createError('conflict', `The ${resource} has another resourceVersion. Read it again.`, error);
    case 410:
      return createError('expired', 'The list has expired. Start again with its first page.', error);
    case 429:
      return new ResourceStoreError('rate_limited', 'The Kubernetes API limits requests. Try again later.', {
        cause: error,
        retryAfterMs: retryAfterMs ?? 1_000,
      });
    case 400:
    case 413:
    case 422:
      return request.verb === 'list' ? createListError(message, error) : createInvalidError(resource, error, request);
    default:
      return createError('unavailable', describeRefusal(status, request), error);
  }
}

const createError = (code: ResourceStoreErrorCode, message: string, cause: unknown): ResourceStoreError =>
  new ResourceStoreError(code, message, { cause });

/** Whether the API says that this resource is missing. It also answers 404 without the type. */
const isAboutResource = ({ body }: KubernetesApiError, { name, type }: ResourceRequest): boolean =>
  name !== undefined && body?.details?.name === name && `${body.details.kind}.${body.details.group}` === type;

function createListError(message: string, cause: KubernetesApiError): ResourceStoreError {
  if (message.includes('continue'))
    return createError('expired', 'The token of the list is invalid. Start again with its first page.', cause);
  return createError('invalid_selector', `The label selector is invalid: ${message}.`, cause);
}

function createInvalidError(resource: string, cause: KubernetesApiError, { body }: ResourceRequest) {
  const violations = cause.body === undefined ? [] : listObjectViolations(cause.body, body);
  const fields = violations.map(({ field, message }) => `${field} ${message}`).join('; ');
  const reason = fields === '' ? `the Kubernetes API answers ${cause.status}` : fields;
  return new ResourceStoreError('invalid', `The ${resource} is invalid: ${reason}.`, { cause, violations });
}

const describeMissingType = ({ type, namespace }: ResourceRequest, kind: string | undefined): string =>
  kind === 'namespaces'
    ? `The cluster has no namespace ${namespace}. Create it: kubectl create namespace ${namespace}`
    : `The cluster does not know the resource type ${type}. Apply its definition: kubectl apply -f deploy/crds/${type}.yaml`;

function describeRefusal(status: number, { verb, type, namespace }: ResourceRequest): string {
  if (status === 401) return 'The Kubernetes API does not accept the credentials of this service. Check its token.';
  if (status === 403)
    return `The Kubernetes API forbids this service to ${verb} ${type} in ${namespace}. Grant it the verb "${verb}".`;
  return `The Kubernetes API answers ${status}.`;
}

function describeNetworkFailure(error: unknown, { verb }: ResourceRequest): string {
  if (error instanceof KubeconfigError) return error.message;
  const outcome = verb === 'get' || verb === 'list' ? '' : ` The API may have processed this ${verb}.`;
  return `The Kubernetes API does not answer.${outcome}`;
}
