import { redactInWorker, RedactionFailedError, type RedactionOptions } from './redaction-pool.ts';
import { Redactor } from './redaction-patterns.ts';
import type { RedactedTexts } from './redaction-worker.ts';

/**
 * Most characters, each counted once for each pattern, that are searched on the event loop: 5 ms,
 * and 60 ms with the slowest patterns that were found (docs/decisions/0203).
 */
const INLINE_SEARCH = 128 * 1024;
/** The time of the search of a short text, in characters. */
const TEXT_COST = 32;

/** Redacts texts by one list of patterns. */
export class TextRedaction {
  /** Undefined if a pattern cannot be used; then nothing may pass. */
  private readonly redactor: Redactor | undefined;

  constructor(readonly patterns: readonly string[]) {
    this.redactor = createRedactor(patterns);
  }

  /**
   * Replaces the passages that the patterns match. A search in short texts without a match ends at
   * once; other texts are redacted in a thread of their own.
   * @returns undefined if no text has a match, at once
   * @throws RedactionFailedError also as a rejection
   */
  redact(texts: readonly string[], options: RedactionOptions): Promise<RedactedTexts> | undefined {
    if (this.redactor === undefined) throw new RedactionFailedError('a redaction pattern of the settings is not valid');
    const { redactor } = this;
    const cost = texts.reduce((sum, { length }) => sum + length + TEXT_COST, 0);
    const isShort = cost * this.patterns.length <= INLINE_SEARCH;
    if (isShort && !texts.some((text) => redactor.hasMatch(text))) return undefined;
    return redactInWorker({ patterns: this.patterns, texts }, options);
  }
}

function createRedactor(patterns: readonly string[]): Redactor | undefined {
  try {
    return new Redactor(patterns);
  } catch {
    // The source of the settings may accept patterns that this version cannot use.
    return undefined;
  }
}
