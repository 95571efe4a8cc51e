import type { ErrorResponse, ErrorWriter } from '../error-response.ts';
import type { ModelCallError, ModelCallFailure } from '../model-call-error.ts';

/** The status, and the `type` and `code` of the error object. */
interface ErrorKind {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** Whether the SDKs must not retry; they retry 408, 409, 429 and all of 5xx on their own. */
  readonly isFinal?: boolean;
}

const INVALID = 'invalid_request_error';
const SERVER = 'server_error';

const KINDS: Readonly<Record<ModelCallFailure, ErrorKind>> = {
  invalid_request: { status: 400, type: INVALID, code: null },
  untranslatable: { status: 422, type: INVALID, code: 'unsupported_by_provider_format' },
  unauthenticated: { status: 401, type: INVALID, code: 'invalid_api_key' },
  denied: { status: 403, type: INVALID, code: 'permission_denied', isFinal: true },
  not_found: { status: 404, type: INVALID, code: null },
  method_not_allowed: { status: 405, type: INVALID, code: 'method_not_supported' },
  request_too_large: { status: 413, type: INVALID, code: 'request_too_large' },
  request_timeout: { status: 408, type: INVALID, code: 'request_timeout' },
  rate_limited: { status: 429, type: 'requests', code: 'rate_limit_exceeded' },
  budget_exceeded: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', isFinal: true },
  unavailable: { status: 503, type: SERVER, code: 'service_unavailable' },
  provider_error: { status: 502, type: SERVER, code: 'provider_error' },
  provider_timeout: { status: 504, type: SERVER, code: 'provider_timeout' },
  internal: { status: 500, type: SERVER, code: 'internal_error' },
};

/**
 * Writes errors as the API of OpenAI does: `{"error": {message, type, param, code}}`. The official
 * SDKs choose the class of the exception by the status and show the message.
 * `x-should-retry: false` stops their retries where these cannot succeed.
 */
export const openAiErrors: ErrorWriter = {
  writeError(error: ModelCallError, requestId: string): ErrorResponse {
    const { status, isFinal } = KINDS[error.failure];
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...(error.retryAfterMs === undefined
          ? undefined
          : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))) }),
        ...(isFinal === true ? { 'x-should-retry': 'false' } : undefined),
      },
      body: JSON.stringify({ error: createErrorObject(error) }),
    };
  },

  /** The SDKs throw at an event whose data has an `error`, in Chat Completions and Responses. */
  writeStreamError(error: ModelCallError): string {
    // The blank line ends an event that the provider has not finished.
    return `\n\ndata: ${JSON.stringify({ error: createErrorObject(error) })}\n\n`;
  },
};

function createErrorObject(error: ModelCallError) {
  const { type, code } = KINDS[error.failure];
  return { message: error.message, type, param: error.field ?? null, code: findCode(error) ?? code };
}

/** The code of an unknown model differs from that of an unknown path. */
const findCode = ({ failure, field }: ModelCallError): string | undefined =>
  failure === 'not_found' && field === 'model' ? 'model_not_found' : undefined;
