/** Random choices that are reproducible by their seed. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns true with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** Returns a random item. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!;
  }

  /** Returns a random item with a probability by weight. */
  pickWeighted<T>(weightedItems: readonly (readonly [number, T])[]): T {
    let rest = this.between(
      1,
      weightedItems.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, item] of weightedItems) {
      rest -= weight;
      if (rest <= 0) return item;
    }
    throw new Error('the weights are not positive');
  }

  /** Returns an independent generator, whose choices do not depend on the speed of this one. */
  fork(index: number): Dice {
    return new Dice(Math.imul(this.state ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b));
  }
}
