import { isUnavailable } from './unavailable.ts';
import { HttpError } from '@gatehouse/service-kit/http-error';

/**
 * What a failure of the database means for callers: 503 where a later try can succeed. Nothing of
 * such a request was stored, or all of it.
 */
export const toDatabaseHttpError = (error: unknown): HttpError | undefined =>
  isUnavailable(error)
    ? new HttpError('unavailable', 'the database cannot be reached or is too busy; try again', {
        cause: error,
        retryAfterMs: 1_000,
      })
    : undefined;
