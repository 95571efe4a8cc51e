import { LRUCache } from 'lru-cache';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Largest difference between the clocks of two replicas. */
const MAX_SKEW_MS = 60_000;

/** Number of nonces that a replica remembers, each longer than its request is accepted. */
const MAX_NONCES = 100_000;
const NONCE_MS = 2 * MAX_SKEW_MS + 1_000;

/** The headers that authenticate a request of another replica. */
export const SignatureHeader = {
  time: 'gatehouse-replica-time',
  nonce: 'gatehouse-replica-nonce',
  signature: 'gatehouse-replica-signature',
} as const;

/** A request between replicas. */
export interface SignedRequest {
  method: string;
  path: string;
  body: Uint8Array;
  /** Milliseconds since 1970. */
  time: number;
  /** A unique text of this request. */
  nonce: string;
}

/** HMAC-SHA-256 of a request, as hex digits. */
export function signRequest(key: string, { method, path, body, time, nonce }: SignedRequest): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', key).update([method, path, bodyHash, time, nonce].join('\n')).digest('hex');
}

/** Accepts each request of a holder of the key once, within a minute. */
export class SignatureCheck {
  private readonly nonces = new LRUCache<string, true>({ max: MAX_NONCES, ttl: NONCE_MS });

  constructor(
    private readonly key: string,
    private readonly now: () => number,
  ) {}

  /** Whether the time of a request is acceptable; it is checked before the body is read. */
  isTimely(time: number): boolean {
    return Math.abs(this.now() - time) <= MAX_SKEW_MS;
  }

  /** Whether the request is genuine and was not accepted before. */
  accept(request: SignedRequest, signature: string): boolean {
    const expected = Buffer.from(signRequest(this.key, request));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    if (!this.isTimely(request.time) || this.nonces.has(request.nonce)) return false;
    this.nonces.set(request.nonce, true);
    return true;
  }
}
