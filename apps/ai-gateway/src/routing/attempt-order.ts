import type { IncomingHttpHeaders } from 'node:http';

/** The step after a failed attempt: none, the same backend again, or another one. */
export type NextAttempt = 'none' | 'same' | 'other';

/** The most attempts at providers for one call. */
const MAX_ATTEMPTS = 3;
/** Statuses from 500 and these can differ at another backend. */
const OTHER_BACKEND_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 409, 425, 429]);
/** Statuses of a backend that is gone for a moment (RFC 9110, section 15.6). */
const PASSING_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Lists the attempts for the ordered backends. A single backend gets one more. */
export function listAttempts<T>(ordered: readonly T[]): readonly { readonly backend: T; readonly next: NextAttempt }[] {
  const [only] = ordered;
  if (ordered.length === 1 && only !== undefined)
    return [
      { backend: only, next: 'same' },
      { backend: only, next: 'none' },
    ];
  const tried = ordered.slice(0, MAX_ATTEMPTS);
  return tried.map((backend, at) => ({ backend, next: at === tried.length - 1 ? 'none' : 'other' }));
}

/**
 * Whether the next attempt may succeed after the status. The same backend is not asked again where
 * it says when to come back, or that it wants no other attempt: the client waits better.
 */
export function isWorthAttempt(next: NextAttempt, status: number, headers: IncomingHttpHeaders): boolean {
  if (next === 'other') return status >= 500 || OTHER_BACKEND_STATUSES.has(status);
  if (next === 'none' || !PASSING_STATUSES.has(status)) return false;
  const saysWhen = headers['retry-after'] !== undefined || headers['retry-after-ms'] !== undefined;
  return !saysWhen && headers['x-should-retry'] !== 'false';
}
