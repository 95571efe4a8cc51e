import { createTooManyRequestsRefusal } from './http-refusal.ts';

/** Counts the open streams of each user in this process. */
export class StreamCount {
  private readonly open = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /**
   * Counts one stream.
   * @returns a function that ends the count
   * @throws HttpRefusalError 429 above the limit of the user
   */
  add(user: string): () => void {
    const open = this.open.get(user) ?? 0;
    if (open >= this.limit) {
      const message = `you have ${this.limit} open streams, the most that a user may have: close one before you open another`;
      throw createTooManyRequestsRefusal(message, RETRY_SECONDS);
    }
    this.open.set(user, open + 1);
    return () => {
      const left = (this.open.get(user) ?? 1) - 1;
      if (left === 0) this.open.delete(user);
      else this.open.set(user, left);
    };
  }
}

const RETRY_SECONDS = 5;
