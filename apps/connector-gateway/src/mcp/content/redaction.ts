import {
  redactInWorker,
  RedactionFailedError,
  type RedactionOptions,
} from '@gatehouse/content-controls/redaction-pool';
import { Redactor } from '@gatehouse/content-controls/redaction-patterns';
import { mapTexts } from './message-texts.ts';

/**
 * Most characters, each counted once for each pattern, that are searched on the event loop: 5 ms,
 * and 60 ms with the slowest patterns that were found (docs/decisions/0203).
 */
const INLINE_SEARCH = 128 * 1024;
/** The time of the search of a short text, in characters. */
const TEXT_COST = 32;

/** A value without the passages that were replaced. */
export interface Redacted<T> {
  readonly value: T;
  /** How many passages were replaced. */
  readonly count: number;
}

/** The redaction patterns of one connector. */
export class Redaction {
  /** Undefined if a pattern cannot be used; then nothing may pass. */
  private readonly redactor: Redactor | undefined;

  constructor(readonly patterns: readonly string[]) {
    this.redactor = createRedactor(patterns);
  }

  /**
   * Replaces the passages of a message that the patterns match. A short message without a match is
   * returned at once; other texts are redacted in a thread of their own.
   * @throws RedactionFailedError also as a rejection
   */
  redact<T>(value: T, options: RedactionOptions): Redacted<T> | Promise<Redacted<T>> {
    if (this.redactor === undefined) throw new RedactionFailedError('a redaction pattern of the settings is not valid');
    const { redactor } = this;
    const texts: string[] = [];
    mapTexts(value, (text) => {
      texts.push(text);
      return text;
    });
    const cost = texts.reduce((sum, { length }) => sum + length + TEXT_COST, 0);
    const isShort = cost * this.patterns.length <= INLINE_SEARCH;
    if (isShort && !texts.some((text) => redactor.hasMatch(text))) return { value, count: 0 };
    return redactInWorker({ patterns: this.patterns, texts }, options).then(({ texts: redacted, count }) => {
      let next = 0;
      return { value: mapTexts(value, (text) => redacted[next++] ?? text), count };
    });
  }
}

function createRedactor(patterns: readonly string[]): Redactor | undefined {
  try {
    return new Redactor(patterns);
  } catch {
    // An enterprise manager of another version may accept patterns that this one cannot use.
    return undefined;
  }
}
