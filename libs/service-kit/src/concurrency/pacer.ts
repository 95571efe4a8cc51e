import { nextTurn } from '@gatehouse/json-limits/event-loop';

/** Longest time for which one piece of work blocks the event loop, in milliseconds. */
const SLICE_MS = 4;

/** Divides long work into slices, so that the event loop serves other work between them. */
export class Pacer {
  private begun = performance.now();

  /**
   * Whether the slice is used up. A loop over many small items checks this before `pause`, since
   * each `await` costs about 1 µs.
   */
  get isDue(): boolean {
    return performance.now() - this.begun >= SLICE_MS;
  }

  /** Waits for the next turn of the event loop when the slice is used up. */
  async pause(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn();
    this.begun = performance.now();
  }
}

/** Maps a list in slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const pacer = new Pacer();
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    results.push(map(item, at));
    if (pacer.isDue) await pacer.pause();
  }
  return results;
}
