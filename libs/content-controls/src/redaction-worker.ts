import { Redactor } from './redaction-patterns.ts';

/** Texts to redact, and the patterns. */
export interface RedactionTask {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

/** The redacted texts in their order, and how many passages were replaced in all of them. */
export interface RedactedTexts {
  readonly texts: readonly string[];
  readonly count: number;
}

/** Most lists of patterns that stay compiled. */
const MAX_LISTS = 100;

/** Compiled patterns by their texts. */
const known = new Map<string, Redactor>();

/** Redacts texts in a thread of its own. */
export default function redactTexts({ patterns, texts }: RedactionTask): RedactedTexts {
  const redactor = getRedactor(patterns);
  const redacted = texts.map((text) => redactor.redact(text));
  return { texts: redacted.map(({ text }) => text), count: redacted.reduce((sum, { count }) => sum + count, 0) };
}

function getRedactor(patterns: readonly string[]): Redactor {
  const key = JSON.stringify(patterns);
  let redactor = known.get(key);
  if (redactor === undefined) {
    if (known.size >= MAX_LISTS) known.clear();
    known.set(key, (redactor = new Redactor(patterns)));
  }
  return redactor;
}
