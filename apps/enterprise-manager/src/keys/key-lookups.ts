import { Refusal } from '@gatehouse/service-kit/refusal';

/** Hashes in one question to the database. */
const BATCH = 250;
/** Questions under way at a time. */
const FLYING = 2;
/** Hashes that may wait; beyond that callers are told to come again. */
const WAITING = 10_000;

/** A question that several callers wait for. */
interface Waiting<Found> {
  promise: Promise<Found>;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/**
 * Puts single questions together to few large ones. However many callers ask, and whatever they ask for, the database sees no more than two questions at a
 * time; equal hashes that wait are one. A caller never joins a question that is under way: its answer could be from before the caller asked.
 */
export class KeyLookups<Found> {
  private waiting = new Map<string, Waiting<Found>>();
  private flying = 0;
  private planned = false;

  /** @param read answers many hashes at once; it is not told in which order they came */
  constructor(private readonly read: (hashes: readonly string[]) => Promise<(hash: string) => Found>) {}

  /** Looks a hash up. @throws Refusal unavailable when too many wait, and whatever `read` throws */
  ask(hash: string): Promise<Found> {
    const same = this.waiting.get(hash);
    if (same) return same.promise;
    if (this.waiting.size >= WAITING)
      return Promise.reject(new Refusal('unavailable', 'too many keys are being looked up; try again'));
    const waiting: Waiting<Found> = Promise.withResolvers<Found>();
    this.waiting.set(hash, waiting);
    this.plan();
    return waiting.promise;
  }

  /** Begins after everything that has arrived was read, so that callers who came together go together. */
  private plan(): void {
    if (this.planned || this.flying >= FLYING || this.waiting.size === 0) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      void this.fly();
      this.plan();
    });
  }

  private async fly(): Promise<void> {
    const batch = [...this.waiting].slice(0, BATCH);
    if (batch.length === 0) return;
    for (const [hash] of batch) this.waiting.delete(hash);
    this.flying += 1;
    try {
      const found = await this.read(batch.map(([hash]) => hash));
      for (const [hash, { resolve }] of batch) resolve(found(hash));
    } catch (error) {
      // Nobody waits for the same failure again and again.
      const others = [...this.waiting.values()];
      this.waiting = new Map();
      for (const { reject } of [...batch.map(([, waiting]) => waiting), ...others]) reject(error);
    } finally {
      this.flying -= 1;
      this.plan();
    }
  }
}
