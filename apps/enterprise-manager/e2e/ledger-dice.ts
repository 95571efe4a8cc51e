/** Random choices that a seed repeats. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 to below 1 (mulberry32). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True in about `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** One of several. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!;
  }

  /** One of several ways, by weight. */
  weighed<T>(ways: readonly (readonly [number, T])[]): T {
    let rest = this.between(
      1,
      ways.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, way] of ways) {
      rest -= weight;
      if (rest <= 0) return way;
    }
    throw new Error('no way');
  }

  /** Choices of somebody else, which do not depend on how fast this one goes. */
  fork(who: number): Dice {
    return new Dice(Math.imul(this.state ^ Math.imul(who + 1, 0x9e3779b1), 0x85ebca6b));
  }
}
