import type { RedactionOptions } from '@gatehouse/content-controls/redaction-pool';
import { TextRedaction } from '@gatehouse/content-controls/text-redaction';
import { mapTexts } from './message-texts.ts';

/** A value without the passages that were replaced. */
export interface Redacted<T> {
  readonly value: T;
  /** How many passages were replaced. */
  readonly count: number;
}

/** The redaction patterns of one connector. */
export class Redaction {
  private readonly redaction: TextRedaction;

  constructor(readonly patterns: readonly string[]) {
    this.redaction = new TextRedaction(patterns);
  }

  /**
   * Replaces the passages of a message that the patterns match. A short message without a match is
   * returned at once; other texts are redacted in a thread of their own.
   * @throws RedactionFailedError also as a rejection
   */
  redact<T>(value: T, options: RedactionOptions): Redacted<T> | Promise<Redacted<T>> {
    const texts: string[] = [];
    mapTexts(value, (text) => {
      texts.push(text);
      return text;
    });
    const redacted = this.redaction.redact(texts, options);
    if (redacted === undefined) return { value, count: 0 };
    return redacted.then(({ texts: replaced, count }) => {
      let next = 0;
      return { value: mapTexts(value, (text) => replaced[next++] ?? text), count };
    });
  }
}
