interface Prefix {
  text: string;
  /** The longest other prefix of this prefix. */
  parent: Prefix | undefined;
}

/** A set of prefixes that finds the longest one of a text. */
export class Prefixes {
  /**
   * Sorted by code units: the prefixes of a text are ancestors of the last entry that is not after
   * it.
   */
  private readonly sorted: readonly Prefix[];

  constructor(texts: Iterable<string>) {
    let last: Prefix | undefined;
    this.sorted = [...new Set(texts)].sort().map((text) => {
      let parent = last;
      while (parent !== undefined && !text.startsWith(parent.text)) parent = parent.parent;
      return (last = { text, parent });
    });
  }

  /** The length of the longest prefix of a text; undefined without one. */
  findLongest(text: string): number | undefined {
    let prefix = this.findLastUpTo(text);
    if (prefix === undefined) return undefined;
    const common = getCommonLength(prefix.text, text);
    while (prefix !== undefined && prefix.text.length > common) prefix = prefix.parent;
    return prefix?.text.length;
  }

  private findLastUpTo(text: string): Prefix | undefined {
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.sorted[middle]?.text ?? '') <= text) from = middle + 1;
      else to = middle;
    }
    return this.sorted[from - 1];
  }
}

function getCommonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
