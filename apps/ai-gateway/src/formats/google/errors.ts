import type { ErrorResponse, ErrorWriter } from '../error-response.ts';
import type { JsonObject } from '../model-request.ts';
import type { ModelCallError, ModelCallFailure } from '../model-call-error.ts';
import { readResponseForm } from './model-path.ts';

interface VendorError {
  readonly code: number;
  /** The canonical code of gRPC (google.rpc.Code). */
  readonly status: string;
}

/** The HTTP status and the canonical code of each failure (AIP-193). */
const ERRORS: Readonly<Record<ModelCallFailure, VendorError>> = {
  invalid_request: { code: 400, status: 'INVALID_ARGUMENT' },
  untranslatable: { code: 422, status: 'INVALID_ARGUMENT' },
  unauthenticated: { code: 401, status: 'UNAUTHENTICATED' },
  denied: { code: 403, status: 'PERMISSION_DENIED' },
  not_found: { code: 404, status: 'NOT_FOUND' },
  method_not_allowed: { code: 405, status: 'UNIMPLEMENTED' },
  request_too_large: { code: 413, status: 'INVALID_ARGUMENT' },
  request_timeout: { code: 408, status: 'DEADLINE_EXCEEDED' },
  rate_limited: { code: 429, status: 'RESOURCE_EXHAUSTED' },
  budget_exceeded: { code: 429, status: 'RESOURCE_EXHAUSTED' },
  unavailable: { code: 503, status: 'UNAVAILABLE' },
  provider_error: { code: 502, status: 'UNAVAILABLE' },
  provider_timeout: { code: 504, status: 'DEADLINE_EXCEEDED' },
  internal: { code: 500, status: 'INTERNAL' },
};

/**
 * The delay of an exhausted budget whose period is not known, in milliseconds. Gemini CLI repeats a
 * request after a delay of up to five minutes, and shows the message of a longer one.
 */
const BUDGET_RETRY_MS = 3_600_000;

/** Writes errors as the Gemini API does: an object of google.rpc.Status. */
export const googleErrors: ErrorWriter = {
  writeError(error): ErrorResponse {
    const delay = findRetryDelay(error);
    return {
      status: ERRORS[error.failure].code,
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        ...(delay !== undefined && { 'retry-after': String(delay) }),
      },
      body: JSON.stringify(createBody(error)),
    };
  },
  // The empty lines end an event that the provider has not finished. An array has an item already
  // when its status is sent.
  writeStreamError(error, request) {
    const body = JSON.stringify(createBody(error));
    return readResponseForm(request.received.query) === 'sse' ? `\n\ndata: ${body}\n\n` : `\n,\n${body}\n]`;
  },
};

function createBody(error: ModelCallError): JsonObject {
  const details = createDetails(error);
  return {
    error: { ...ERRORS[error.failure], message: error.message, ...(details.length > 0 && { details }) },
  };
}

/** The details that SDKs and Gemini CLI read (google.rpc, error_details.proto). */
function createDetails(error: ModelCallError): JsonObject[] {
  const { failure, field, message } = error;
  const delay = findRetryDelay(error);
  const violations = (name: string, violation: JsonObject) => ({
    '@type': `type.googleapis.com/google.rpc.${name}`,
    [name === 'BadRequest' ? 'fieldViolations' : 'violations']: [violation],
  });
  return [
    ...(field === undefined ? [] : [violations('BadRequest', { field, description: message })]),
    ...(failure === 'budget_exceeded' ? [violations('QuotaFailure', { subject: 'budget', description: message })] : []),
    ...(delay === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${delay}s` }]),
  ];
}

/** The seconds until another try can succeed. */
function findRetryDelay({ failure, retryAfterMs }: ModelCallError): number | undefined {
  const milliseconds = retryAfterMs ?? (failure === 'budget_exceeded' ? BUDGET_RETRY_MS : undefined);
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
}
