import { isUnavailable } from './unavailable.ts';
import { Refusal } from '@gatehouse/service-kit/refusal';

/**
 * What a failure of the database means for callers: 503 where a later try can succeed. Nothing of
 * such a request was stored, or all of it.
 */
export const databaseRefusal = (error: unknown): Refusal | undefined =>
  isUnavailable(error)
    ? new Refusal('unavailable', 'the database cannot be reached or is too busy; try again', {
        cause: error,
        retryAfterSeconds: 1,
      })
    : undefined;
