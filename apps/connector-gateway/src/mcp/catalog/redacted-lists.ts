import type { Redaction } from '../content/redaction.ts';
import { createRedactionError } from '../upstreams/redaction-failure.ts';

interface RedactedList {
  redaction: Redaction;
  items: Promise<readonly unknown[]>;
}

/** Redacts the lists of connectors, each once for all users while the patterns stay the same. */
export class RedactedLists {
  private readonly known = new WeakMap<readonly unknown[], RedactedList>();

  /**
   * Replaces the texts for people in the entries of a list. The result for an unchanged list is the
   * same object.
   * @throws UpstreamUnavailableError as a rejection
   */
  redact<T>(redaction: Redaction | undefined, list: readonly T[]): readonly T[] | Promise<readonly T[]> {
    if (redaction === undefined) return list;
    let known = this.known.get(list);
    if (known?.redaction !== redaction)
      this.known.set(list, (known = { redaction, items: this.redactNow(redaction, list) }));
    return known.items as Promise<readonly T[]>;
  }

  private async redactNow(redaction: Redaction, list: readonly unknown[]): Promise<readonly unknown[]> {
    try {
      return (await redaction.redact(list)).value;
    } catch (error) {
      this.known.delete(list);
      throw createRedactionError(error, true);
    }
  }
}
