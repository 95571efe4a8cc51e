import { MAX_GRANTS, removeGrants } from './grants.ts';

/** The maximum bytes (UTF-8) of a document without its compiled grants. */
export const MAX_DOCUMENT_BYTES = 64 * 1024;

/** The maximum number of policies of a document without its compiled grants. */
export const MAX_POLICIES = 250;

/** The maximum characters of all `like` patterns in a document. */
export const MAX_PATTERNS = 16_384;

/**
 * The maximum characters of a text that patterns are compared with. The time of `like` grows with
 * the product of pattern and text.
 */
export const MAX_MATCHED_CHARACTERS = 2_048;

/**
 * The maximum depth of an expression: one for an operator and two for a bracket. Cedar recurses
 * over the syntax tree in a stack of fixed size, which 49 brackets or 103 operators in a row
 * exhaust (cedar-wasm 4.13). The engine is unusable after that.
 */
export const MAX_DEPTH = 64;

/** A limit that a text exceeds, and the index (UTF-16) to report. */
export interface Excess {
  readonly message: string;
  readonly index: number;
  /** Whether the limit is the one of bytes. */
  readonly isSize?: true;
}

/**
 * Finds the first limit that a document exceeds, without parsing it: a text that is too deep would
 * crash Cedar. The depth is an upper bound of the depth of Cedar's syntax tree, computed from
 * tokens and precedences.
 */
export function findExcess(text: string): Excess | undefined {
  const { rest, grants, bytes } = removeGrants(text);
  if (grants > MAX_GRANTS) return { message: `the document grants more than ${MAX_GRANTS} groups`, index: 0 };
  if (bytes > MAX_DOCUMENT_BYTES)
    return {
      message: `the document has ${bytes} bytes without compiled grants, more than ${MAX_DOCUMENT_BYTES}`,
      index: 0,
      isSize: true,
    };
  let policies = 0;
  let start: number | undefined;
  const levels: [Level, ...Level[]] = [new Level()];
  for (const { 0: token, index } of rest.matchAll(TOKEN)) {
    if (token.startsWith('//')) continue;
    start ??= index;
    const level = levels.at(-1) ?? levels[0];
    const outside = levels.length === 1;
    if (OPENING.has(token)) {
      // An index or the arguments of a method add to the depth of the expression before them.
      level.step('.');
      levels.push(new Level());
    } else if (CLOSING.has(token)) {
      if (!outside) levels.pop();
      levels.at(-1)?.addChild(level.depth() + BRACKET);
    } else if (outside && (token === 'when' || token === 'unless')) level.step('&&');
    else level.step(token);
    const inner = levels.at(-1) ?? levels[0];
    if ((levels.length - 1) * BRACKET + inner.depth() > MAX_DEPTH) return { message: TOO_DEEP, index: start };
    if (!outside || token !== ';') continue;
    policies += 1;
    if (policies > MAX_POLICIES)
      return { message: `the document holds more than ${MAX_POLICIES} policies without compiled grants`, index: start };
    levels[0] = new Level();
    start = undefined;
  }
  return undefined;
}

const TOO_DEEP = `the policy is nested deeper than ${MAX_DEPTH} levels; list long alternatives in a set, as in ["a", "b"].contains(…)`;
const BRACKET = 2;
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const OPERATORS = new Set(['==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '!', '.', 'in', 'has', 'like', 'is']);

/**
 * Comments, which end where Cedar's lexer ends them, and all other tokens. A string without an end
 * extends to the end of the text.
 */
const TOKEN = /\/\/[^\n\r]*|"(?:[^"\\]+|\\[^])*"?|[A-Za-z_][A-Za-z0-9_]*|&&|\|\||[=!<>]=|\S/g;

/**
 * The depth of one pair of brackets or of a whole policy: the longest path from its root. `if` has
 * the lowest precedence, then `||`, `&&`, and all others.
 */
class Level {
  private items = 0;
  private branch = 0;
  private either = 0;
  private both = 0;
  private readonly chain = { if: 0, '||': 0, '&&': 0, other: 0, child: 0 };

  step(token: string): void {
    if (token === '&&') this.nextBoth();
    else if (token === '||') this.nextEither();
    else if (token === 'then' || token === 'else') this.nextBranch();
    else if (token === ',') this.nextItem();
    else if (token === 'if') this.chain.if += 1;
    else if (OPERATORS.has(token)) this.chain.other += 1;
    if (token === '&&' || token === '||') this.chain[token] += 1;
  }

  addChild(depth: number): void {
    this.chain.child = Math.max(this.chain.child, depth);
  }

  depth(): number {
    const { chain } = this;
    const both = Math.max(this.both, chain.other + chain.child);
    const either = Math.max(this.either, chain['&&'] + both);
    const branch = Math.max(this.branch, chain['||'] + either);
    return Math.max(this.items, chain.if + branch);
  }

  private nextBoth(): void {
    this.both = Math.max(this.both, this.chain.other + this.chain.child);
    this.chain.other = this.chain.child = 0;
  }

  private nextEither(): void {
    this.nextBoth();
    this.either = Math.max(this.either, this.chain['&&'] + this.both);
    this.both = this.chain['&&'] = 0;
  }

  private nextBranch(): void {
    this.nextEither();
    this.branch = Math.max(this.branch, this.chain['||'] + this.either);
    this.either = this.chain['||'] = 0;
  }

  private nextItem(): void {
    this.nextBranch();
    this.items = Math.max(this.items, this.chain.if + this.branch);
    this.branch = this.chain.if = 0;
  }
}
