import { ModelCallError } from '../formats/model-call-error.ts';
import { getOwnerKey, type Principal } from '../identity/principals.ts';

/** Bodies are freed when their calls end. */
const RETRY_MS = 1_000;

/** One person takes at most this part of the memory. */
const OWNER_SHARE = 0.25;

/**
 * Limits the bytes of all request bodies in memory, and of those of each person with all keys. A
 * person with one call may exceed the share. Bytes count as they arrive, so a client that announces
 * a large body and sends none takes nothing from others.
 */
export class RequestMemory {
  private used = 0;
  private readonly byOwner = new Map<string, number>();

  /** @param maxBytes of all bodies together */
  constructor(private readonly maxBytes: number) {}

  /** The bytes in use. */
  get usedBytes(): number {
    return this.used;
  }

  /** Opens the account of the body of one call. Close it at the end of the call. */
  open(principal: Pick<Principal, 'owner'>): BodyMemory {
    return new BodyMemory(this, getOwnerKey(principal));
  }

  /**
   * Takes bytes for a body.
   * @param before the bytes that the body has already taken
   * @throws ModelCallError `rate_limited` or `unavailable`
   */
  take(owner: string, bytes: number, before: number): void {
    const own = (this.byOwner.get(owner) ?? 0) + bytes;
    if (own > this.maxBytes * OWNER_SHARE && own > before + bytes)
      throw new ModelCallError('rate_limited', 'Your running requests are too large together. Try again later.', {
        retryAfterMs: RETRY_MS,
        reason: 'request_memory_of_owner',
      });
    if (this.used + bytes > this.maxBytes)
      throw new ModelCallError('unavailable', 'The gateway serves too many large requests. Try again later.', {
        retryAfterMs: RETRY_MS,
        reason: 'request_memory',
      });
    this.byOwner.set(owner, own);
    this.used += bytes;
  }

  /** Gives the bytes of a body back. */
  give(owner: string, bytes: number): void {
    this.used -= bytes;
    const rest = (this.byOwner.get(owner) ?? 0) - bytes;
    if (rest > 0) this.byOwner.set(owner, rest);
    else this.byOwner.delete(owner);
  }
}

/** The bytes of the body of one call. */
export class BodyMemory {
  private bytes = 0;

  constructor(
    private readonly memory: RequestMemory,
    private readonly owner: string,
  ) {}

  /** Counts bytes that have arrived. @throws ModelCallError `rate_limited` or `unavailable` */
  take(bytes: number): void {
    this.memory.take(this.owner, bytes, this.bytes);
    this.bytes += bytes;
  }

  /** Gives all bytes back. */
  close(): void {
    if (this.bytes > 0) this.memory.give(this.owner, this.bytes);
    this.bytes = 0;
  }
}
