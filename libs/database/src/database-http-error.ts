import { isUnavailable } from './unavailable.ts';
import { HttpError } from '@gatehouse/service-kit/http-error';

/**
 * Maps a temporary failure of the database to HTTP 503; undefined for other errors. The database
 * has stored either the whole request or no part of it.
 */
export const toDatabaseHttpError = (error: unknown): HttpError | undefined =>
  isUnavailable(error)
    ? new HttpError('unavailable', 'the database cannot be reached or is too busy; try again', {
        cause: error,
        retryAfterMs: 1_000,
      })
    : undefined;
