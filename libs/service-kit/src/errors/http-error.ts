import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The HTTP status of each kind of refusal. */
export const HTTP_ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  not_implemented: 501,
  bad_gateway: 502,
  unavailable: 503,
} as const;

/** The kinds of refusal. */
export type HttpErrorKind = keyof typeof HTTP_ERROR_STATUS;

/** One field that breaks a rule. */
export interface Violation {
  /** JSON pointer (RFC 6901) into the body, or `/<name>` of a query, path or header parameter. */
  field: string;
  message: string;
}

/** Further facts of a refusal. */
export interface HttpErrorOptions {
  /** Machine code; default the code of the kind. */
  code?: string;
  /**
   * Milliseconds until another attempt can succeed; sent as Retry-After in whole seconds. Default:
   * 1,000 for 429 and 503, else none.
   */
  retryAfterMs?: number;
  violations?: readonly Violation[];
  cause?: unknown;
  /** Further response headers, lower-case names. */
  headers?: Readonly<Record<string, string>>;
}

const CODES: Record<HttpErrorKind, string> = {
  invalid: 'invalid_request',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'invalid_request',
  conflict: 'already_exists',
  precondition_failed: 'precondition_failed',
  too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  unprocessable: 'validation_failed',
  precondition_required: 'precondition_required',
  rate_limited: 'rate_limited',
  headers_too_large: 'invalid_request',
  not_implemented: 'not_implemented',
  bad_gateway: 'upstream_unavailable',
  unavailable: 'upstream_unavailable',
};

const DEFAULT_RETRY_AFTER_MS: Partial<Record<HttpErrorKind, number>> = { rate_limited: 1_000, unavailable: 1_000 };

/**
 * The refusal of a request. One filter turns it into the failure body of the service. The caller
 * receives `message`, so it must not contain secrets, tokens or data of other users.
 */
export class HttpError extends GatehouseError {
  override readonly code: string;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly kind: HttpErrorKind,
    message: string,
    details: HttpErrorOptions = {},
  ) {
    const { cause, retryAfterMs = DEFAULT_RETRY_AFTER_MS[kind] } = details;
    super(message, { cause, retryAfterMs, expose: true });
    this.code = details.code ?? CODES[kind];
    this.violations = details.violations ?? [];
    this.headers = details.headers ?? {};
  }

  /** The HTTP status of the refusal. */
  get status(): number {
    return HTTP_ERROR_STATUS[this.kind];
  }
}

/**
 * A refusal for one field. Its message and its violation name the field.
 * @param field path of the field (`tools.openai`), or the name of a parameter or header
 */
export const fieldError = (
  kind: 'invalid' | 'unprocessable',
  field: string,
  message: string,
  cause?: unknown,
): HttpError =>
  new HttpError(kind, `${field}: ${message}`, {
    violations: [{ field: `/${field.replaceAll('.', '/')}`, message }],
    ...(cause !== undefined && { cause }),
  });
