import type { Redaction } from '../content/redaction.ts';
import { createRedactionError } from '../upstreams/redaction-failure.ts';

/** Longest time for one list; the connector is left out of the lists after it. */
const DEADLINE_MS = 2_000;
/** Time after which a list that could not be redacted is tried again. */
const FAILURE_MS = 30_000;

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
  redact<T>(
    connectorId: string,
    redaction: Redaction | undefined,
    list: readonly T[],
  ): readonly T[] | Promise<readonly T[]> {
    if (redaction === undefined) return list;
    let known = this.known.get(list);
    if (known?.redaction !== redaction)
      this.known.set(list, (known = { redaction, items: this.redactNow(connectorId, redaction, list) }));
    return known.items as Promise<readonly T[]>;
  }

  private async redactNow(
    connectorId: string,
    redaction: Redaction,
    list: readonly unknown[],
  ): Promise<readonly unknown[]> {
    try {
      return (await redaction.redact(list, { owner: `lists ${connectorId}`, deadlineMs: DEADLINE_MS })).value;
    } catch (error) {
      setTimeout(() => this.known.delete(list), FAILURE_MS).unref();
      throw createRedactionError(error, true);
    }
  }
}
