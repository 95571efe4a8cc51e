import { type Context, createContext, Script } from 'node:vm';
import ignore, { type Ignore } from 'ignore';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A line of an ignore file that hides a path. */
export interface IgnoreRule {
  readonly pattern: string;
  readonly file: string;
  readonly line: number;
}

/** An ignore file that cannot be applied. Its message names the file. */
export class IgnoreFileError extends GatehouseError {
  override readonly code = 'ignore_file';
}

const MAX_PATTERN_LENGTH = 1_000;
const MAX_LINES = 10_000;
/** Milliseconds for the decision on one path. */
const TIME_LIMIT_MS = 1_000;
/** The regular expressions of such patterns can take hours on a deep path. */
const COSTLY = /\/\*\*\/.*\/\*\*\//;
const CALL = new Script('call()');
let callContext: Context | undefined;

/**
 * The rules of one ignore file, in the syntax of gitignore. Names are compared in the composed form
 * of Unicode; letter case matters where the filesystem distinguishes it.
 */
export class IgnoreRules {
  readonly #file: string;
  readonly #rules: Ignore;
  #isCostly = false;

  /** @throws IgnoreFileError for a line that is no pattern and would hide nothing */
  constructor(text: string, file: string) {
    this.#file = file;
    this.#rules = ignore({ ignorecase: process.platform === 'darwin' || process.platform === 'win32' });
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    if (lines.length > MAX_LINES) throw new IgnoreFileError(`${file} has more than ${MAX_LINES} lines`);
    for (const [index, line] of lines.entries()) this.#add(line, index + 1);
  }

  #add(line: string, number: number): void {
    if (line.trim() === '' || line.startsWith('#')) return;
    const problem = findProblem(line);
    if (problem !== undefined) throw new IgnoreFileError(`${this.#file}, line ${number}: the pattern ${problem}`);
    this.#isCostly ||= COSTLY.test(`/${line}`);
    this.#rules.add({ pattern: line.normalize('NFC'), mark: String(number) });
  }

  /**
   * Decides on a path.
   * @param path relative to the folder of the rules, with slashes
   * @returns the rule that hides it, `shown` when a rule with `!` matches, else undefined
   * @throws IgnoreFileError for a decision that takes too long
   */
  decide(path: string, isFolder: boolean): IgnoreRule | 'shown' | undefined {
    const { rule, unignored } = this.#test(`${path.normalize('NFC')}${isFolder ? '/' : ''}`);
    if (rule !== undefined) return { pattern: rule.pattern, file: this.#file, line: Number(rule.mark) };
    return unignored ? 'shown' : undefined;
  }

  /** A regular expression can be interrupted in a script of its own only, which costs 0.2 ms. */
  #test(path: string): ReturnType<Ignore['test']> {
    if (!this.#isCostly) return this.#rules.test(path);
    try {
      callContext ??= createContext({});
      callContext['call'] = () => this.#rules.test(path);
      return CALL.runInContext(callContext, { timeout: TIME_LIMIT_MS }) as ReturnType<Ignore['test']>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new IgnoreFileError(
        `${this.#file} has patterns with several '**' that take too long to compare with ${path.slice(0, 200)}`,
        { cause: error },
      );
    }
  }
}

function findProblem(line: string): string | undefined {
  if (line.includes('\0')) return 'contains a NUL character';
  if (line.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  const unescaped = line.replace(/\\[^]/g, '');
  if (unescaped.endsWith('\\')) return 'ends with a backslash';
  // The first ] after [ or [! stands for itself.
  if (unescaped.replace(/\[[!^]?(?:\][^\]]*|[^\]]+)\]/g, '').includes('[')) return "has a '[' without a ']'";
  return undefined;
}
