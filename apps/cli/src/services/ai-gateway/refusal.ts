import type { Violation } from './violations.ts';

/** A failure of AI gateway management. */
export interface Refusal {
  readonly status: number;
  /** Machine code; undefined when the body is not of the service. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly violations: readonly Violation[];
  /** Seconds until another attempt can succeed. */
  readonly retryAfter: number | undefined;
}

/** Reads the body of a failure. A body of another form has no code. */
export function readRefusal({ status, headers }: Response, body: unknown): Refusal {
  const { error, requestId, violations } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly [name in 'error' | 'requestId' | 'violations']?: unknown;
  };
  const seconds = /^\d{1,9}$/.exec(headers.get('retry-after') ?? '')?.[0];
  return {
    status,
    code: typeof error === 'string' ? error : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    violations: Array.isArray(violations) ? violations.filter(isViolation) : [],
    retryAfter: seconds === undefined ? undefined : Number(seconds),
  };
}

const isViolation = (value: unknown): value is Violation =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  'message' in value &&
  typeof value.field === 'string' &&
  typeof value.message === 'string';
