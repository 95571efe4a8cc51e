import { RE2JS } from 're2js';

/** The text in place of redacted text. */
export const REDACTED = '[redacted]';

/** Most instructions of one compiled pattern, of one list together, and of all lists of a check. */
const MAX_INSTRUCTIONS = 2_000;
const MAX_TOTAL_INSTRUCTIONS = 10_000;
const MAX_CHECKED_INSTRUCTIONS = 100_000;

/** Most time of the processor for a check: large classes without case compile slowly. */
const MAX_CHECK_MS = 2_000;

/** Texts in which a pattern must not have an empty match. */
const SAMPLES = ['', ' a\n', '1-a\n\n'];

/** A pattern that cannot be used: its place in the list, and why. */
export interface PatternFault {
  readonly index: number;
  readonly problem: string;
}

/**
 * Checks lists of patterns. It compiles each pattern once, a list only up to its limit, and all
 * lists only up to theirs: 100,000 instructions, which take about half a second, and 2 s.
 */
export class PatternCheck {
  private readonly known = new Map<string, CompiledPattern>();
  private instructions = 0;
  private elapsedMs = 0;

  /** Finds the patterns of a list that cannot be used for redaction, in the order of the list. */
  findFaults(patterns: readonly string[]): PatternFault[] {
    const faults: PatternFault[] = [];
    let total = 0;
    for (const [index, text] of patterns.entries()) {
      if (this.isExhausted()) return [...faults, { index, problem: TOO_MANY }];
      const { size, problem } = this.compile(text);
      if (problem !== undefined) faults.push({ index, problem });
      total += size;
      if (total > MAX_TOTAL_INSTRUCTIONS) {
        if (problem === undefined) faults.push({ index, problem: describeExcess(total) });
        return faults;
      }
    }
    return faults;
  }

  private isExhausted(): boolean {
    return this.instructions > MAX_CHECKED_INSTRUCTIONS || this.elapsedMs > MAX_CHECK_MS;
  }

  private compile(text: string): CompiledPattern {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const before = process.threadCpuUsage();
    const compiled = compilePattern(text);
    const { user, system } = process.threadCpuUsage(before);
    this.elapsedMs += (user + system) / 1000;
    this.known.set(text, compiled);
    this.instructions += compiled.size;
    return compiled;
  }
}

const TOO_MANY = `is not checked: the patterns of all connectors compile to more than ${MAX_CHECKED_INSTRUCTIONS} instructions, or for longer than ${MAX_CHECK_MS / 1000} s; use fewer patterns, and smaller repetitions and classes`;

const describeExcess = (total: number): string =>
  `the patterns up to this one compile to ${total} instructions, more than ${MAX_TOTAL_INSTRUCTIONS}; use fewer patterns or smaller repetitions`;

/** The instructions of a pattern, and why it cannot be used. */
interface CompiledPattern {
  readonly size: number;
  readonly problem?: string;
}

function compilePattern(text: string): CompiledPattern {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    return { size: 0, problem: `is not a regular expression of RE2: ${reason}` };
  }
  const size = compiled.programSize();
  if (size > MAX_INSTRUCTIONS)
    return {
      size,
      problem: `compiles to ${size} instructions, more than ${MAX_INSTRUCTIONS}; use smaller repetitions`,
    };
  if (SAMPLES.some((sample) => hasEmptyMatch(compiled, sample)))
    return { size, problem: 'matches the empty string, so it would match everywhere; require at least one character' };
  return { size };
}

function hasEmptyMatch(pattern: RE2JS, text: string): boolean {
  const matcher = pattern.matcher(text);
  while (matcher.find()) if (matcher.end() === matcher.start()) return true;
  return false;
}

/** Redacted text, and how many passages were replaced in it. */
export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces all matches of a list of patterns. One search takes time in proportion to the length of
 * the text; many short matches whose search looks far ahead can take its square.
 */
export class Redactor {
  private readonly patterns: readonly RE2JS[];

  /** @throws an error of RE2 for a pattern that `PatternCheck` refuses */
  constructor(patterns: readonly string[]) {
    this.patterns = patterns.map((text) => RE2JS.compile(text));
  }

  /** Whether a pattern matches, which is faster to find out than where. */
  hasMatch(text: string): boolean {
    return this.patterns.some((pattern) => pattern.test(text));
  }

  /**
   * Replaces each passage that patterns match in the given text. Passages that overlap or touch
   * become one, so the order of the patterns has no influence.
   */
  redact(text: string): RedactedText {
    const passages = this.patterns.flatMap((pattern) => (pattern.test(text) ? findPassages(pattern, text) : []));
    if (passages.length === 0) return { text, count: 0 };
    const merged = mergePassages(passages.sort((one, other) => one.start - other.start));
    let rest = 0;
    const pieces = merged.map(({ start, end }) => {
      const piece = text.slice(rest, start);
      rest = end;
      return piece;
    });
    return { text: [...pieces, text.slice(rest)].join(REDACTED), count: merged.length };
  }
}

interface Passage {
  start: number;
  end: number;
}

function findPassages(pattern: RE2JS, text: string): Passage[] {
  const passages: Passage[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    const last = passages.at(-1);
    // Text of one repeated character would otherwise be one passage for each.
    if (last?.end === start) last.end = end;
    else if (end > start) passages.push({ start, end });
  }
  return passages;
}

/** @param sorted by start */
function mergePassages(sorted: readonly Passage[]): Passage[] {
  const merged: Passage[] = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
