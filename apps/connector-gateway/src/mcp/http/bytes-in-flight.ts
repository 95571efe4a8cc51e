import { createTooManyRequestsRefusal } from './http-refusal.ts';

const RETRY_SECONDS = 2;

/**
 * The bytes of a request besides its body: its objects, its record and its connections. So a user
 * has at most 4,096 requests under way.
 */
const REQUEST_BYTES = 16 * 1024;

/**
 * Counts the bytes that this process holds for each user: request bodies until their response is
 * sent and their call has ended, and unread parts of responses.
 */
export class BytesInFlight {
  private readonly held = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly requestBytes = REQUEST_BYTES,
  ) {}

  /** Starts the count of one request. @throws HttpRefusalError 429 above the limit of the user */
  startRequest(user: string): RequestBytes {
    let own = 0;
    let isOpen = true;
    let holders = 0;
    const add = (bytes: number) => {
      if (!isOpen) return;
      own += bytes;
      const all = (this.held.get(user) ?? 0) + bytes;
      if (all === 0) this.held.delete(user);
      else this.held.set(user, all);
    };
    const retain = () => {
      let isHeld = true;
      holders += 1;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders > 0) return;
        add(-own);
        isOpen = false;
      };
    };
    const release = retain();
    const reserve = (bytes: number) => {
      this.requireRoom(user, bytes);
      add(bytes);
    };
    reserve(this.requestBytes);
    return {
      reserve,
      add,
      retain,
      release,
    };
  }

  private requireRoom(user: string, bytes: number): void {
    if ((this.held.get(user) ?? 0) + bytes <= this.most) return;
    const megabytes = this.most / 1024 / 1024;
    const message = `your requests and their responses hold more than ${megabytes} MiB, the most for one user: wait for responses before you send more`;
    throw createTooManyRequestsRefusal(message, RETRY_SECONDS);
  }

  /** Number of users with bytes in flight. */
  get size(): number {
    return this.held.size;
  }
}

/** The bytes that one request holds. */
export interface RequestBytes {
  /** Adds bytes of the body. @throws HttpRefusalError 429 above the limit of the user */
  reserve(bytes: number): void;
  /** Adds bytes of the response without a limit; a negative number removes them. */
  add(bytes: number): void;
  /**
   * Keeps the bytes for a call that can outlive its response.
   * @returns a function that ends this
   */
  retain(): () => void;
  /** Releases all bytes and ignores later changes, once no call retains them. */
  release(): void;
}
