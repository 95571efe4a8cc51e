import { ResourceStoreError, type ResourceStoreErrorCode } from '@gatehouse/ai-resources/resource-store';
import { HttpError, type HttpErrorKind } from '@gatehouse/service-kit/http-error';

/** The kind and the machine code of the answer to each failure of a store. */
const ANSWERS: Readonly<Record<ResourceStoreErrorCode, readonly [HttpErrorKind, string]>> = {
  not_found: ['not_found', 'not_found'],
  already_exists: ['conflict', 'already_exists'],
  conflict: ['precondition_failed', 'precondition_failed'],
  invalid: ['unprocessable', 'validation_failed'],
  expired: ['invalid', 'invalid_page_token'],
  invalid_selector: ['invalid', 'invalid_label_selector'],
  rate_limited: ['rate_limited', 'rate_limited'],
  unavailable: ['unavailable', 'upstream_unavailable'],
};

/** Maps a failure of a resource store to the answer of the API; undefined for another error. */
export function toHttpError(error: unknown): HttpError | undefined {
  if (!(error instanceof ResourceStoreError)) return undefined;
  const [kind, code] = ANSWERS[error.code];
  return new HttpError(kind, error.message, {
    code,
    violations: collectViolations(error),
    cause: error,
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  });
}

function collectViolations({ code, message, violations }: ResourceStoreError): ResourceStoreError['violations'] {
  if (code === 'invalid_selector') return [{ field: '/labelSelector', message }];
  // The body has no sentence, so that a caller reads the reason here.
  return code === 'unavailable' ? [{ field: '', message }] : violations;
}
