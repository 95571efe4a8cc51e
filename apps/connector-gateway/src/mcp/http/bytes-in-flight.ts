import { tooMany } from './http-refusal.ts';

const RETRY_SECONDS = 2;

/**
 * Counts the bytes that this process holds for each person: bodies from their first byte until
 * their answer is sent, and answers that the client has not read yet.
 */
export class BytesInFlight {
  private readonly held = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Opens the account of one request. */
  of(person: string): RequestBytes {
    let own = 0;
    let isOpen = true;
    const add = (bytes: number) => {
      if (!isOpen) return;
      own += bytes;
      const all = (this.held.get(person) ?? 0) + bytes;
      if (all === 0) this.held.delete(person);
      else this.held.set(person, all);
    };
    return {
      reserve: (bytes) => {
        if ((this.held.get(person) ?? 0) + bytes > this.most) {
          const megabytes = this.most / 1024 / 1024;
          const message = `your requests and their answers hold more than ${megabytes} MiB, the most for one person: wait for answers before you send more`;
          throw tooMany(message, RETRY_SECONDS);
        }
        add(bytes);
      },
      add,
      release: () => {
        add(-own);
        isOpen = false;
      },
    };
  }

  /** How many people hold bytes. */
  get size(): number {
    return this.held.size;
  }
}

/** The bytes that one request holds. */
export interface RequestBytes {
  /** Adds bytes of the body. @throws HttpRefusal 429 when the person holds too many then */
  reserve(bytes: number): void;
  /**
   * Adds bytes of the answer, which were not to be refused any more; a negative number takes them
   * back.
   */
  add(bytes: number): void;
  /** Gives back everything, and counts nothing more. */
  release(): void;
}
