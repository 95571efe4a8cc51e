import type { ErrorResponse, ErrorWriter } from '../error-response.ts';
import type { ModelCallError, ModelCallFailure } from '../model-call-error.ts';

interface VendorError {
  readonly status: number;
  readonly type: string;
  /** Whether the SDKs may send the request again. Without it they decide by the status. */
  readonly shouldRetry?: boolean;
}

/**
 * The status and the type of each failure (reference of the Messages API, page Errors). The type
 * of a status without one of its own is `invalid_request_error`.
 */
const ERRORS: Readonly<Record<ModelCallFailure, VendorError>> = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  untranslatable: { status: 422, type: 'invalid_request_error' },
  unauthenticated: { status: 401, type: 'authentication_error' },
  denied: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'request_too_large' },
  request_timeout: { status: 408, type: 'timeout_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  // Clients try again after a 429, and an exhausted budget stays exhausted. They show a 402.
  budget_exceeded: { status: 402, type: 'billing_error', shouldRetry: false },
  unavailable: { status: 529, type: 'overloaded_error' },
  provider_error: { status: 502, type: 'api_error' },
  provider_timeout: { status: 504, type: 'timeout_error' },
  internal: { status: 500, type: 'api_error' },
};

/**
 * Writes errors as the Messages API does. The SDKs show the message, and the request id of the
 * header `request-id`; they obey `retry-after` and `x-should-retry`.
 */
export const anthropicErrors: ErrorWriter = {
  writeError(error, requestId): ErrorResponse {
    const { status, shouldRetry } = ERRORS[error.failure];
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'request-id': requestId,
        ...(error.retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) }),
        ...(shouldRetry !== undefined && { 'x-should-retry': String(shouldRetry) }),
      },
      body: JSON.stringify({ ...createBody(error), request_id: requestId }),
    };
  },
  // The empty lines end an event that the provider has not finished.
  writeStreamError: (error) => `\n\nevent: error\ndata: ${JSON.stringify(createBody(error))}\n\n`,
};

const createBody = ({ failure, message }: ModelCallError) => ({
  type: 'error',
  error: { type: ERRORS[failure].type, message },
});
