import { onceGone } from './gone.ts';
import { tooMany } from './http-refusal.ts';

/** Counts the open streams of each person in this process. */
export class StreamCount {
  private readonly open = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * Counts one stream until its client is gone.
   * @throws HttpRefusal 429 when the person has as many as a person may have
   */
  add(person: string, gone: AbortSignal): void {
    const open = this.open.get(person) ?? 0;
    if (open >= this.most) {
      const message = `you have ${this.most} open streams, the most that a person may have: close one before you open another`;
      throw tooMany(message, RETRY_SECONDS);
    }
    this.open.set(person, open + 1);
    onceGone(gone, () => {
      const left = (this.open.get(person) ?? 1) - 1;
      if (left === 0) this.open.delete(person);
      else this.open.set(person, left);
    });
  }
}

const RETRY_SECONDS = 5;
