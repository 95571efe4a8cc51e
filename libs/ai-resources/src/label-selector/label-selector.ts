import { isLabelKey, isLabelValue } from '../validation/metadata-schema.ts';
import { splitSelector, type Token } from './label-selector-tokens.ts';
import { ResourceStoreError } from '../resource-store.ts';

/** Labels of a resource. */
export type Labels = Readonly<Record<string, string>>;

type Requirement = (labels: Labels) => boolean;
type Comparison = '=' | '==' | '!=' | '<' | '>';

const COMPARISONS: readonly string[] = ['=', '==', '!=', '<', '>'] satisfies Comparison[];

/**
 * Parses a label selector in the syntax of Kubernetes (`labels.Parse` of apimachinery). Every text
 * has the result that the API server gives it; docs/decisions/0172 says why no library is used.
 * @returns whether labels match; the empty selector matches all
 * @throws ResourceStoreError `invalid_selector`
 */
export function parseLabelSelector(text: string): (labels: Labels) => boolean {
  const requirements = new SelectorParser(text).parse();
  return (labels) => requirements.every((isMet) => isMet(labels));
}

class SelectorParser {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(private readonly selector: string) {
    this.tokens = splitSelector(selector);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    while (this.at < this.tokens.length || requirements.length > 0) {
      requirements.push(this.parseRequirement());
      if (this.at === this.tokens.length) return requirements;
      if (!this.skipSymbol(',')) this.fail('"," or the end');
    }
    return requirements;
  }

  private parseRequirement(): Requirement {
    const isNegated = this.skipSymbol('!');
    const key = this.readWord('a label key');
    if (!isLabelKey(key)) throw this.createError(`"${shorten(key)}" is not a label key`);
    if (isNegated) return (labels) => !Object.hasOwn(labels, key);
    const operator = this.tokens[this.at];
    if (operator === undefined || operator.text === ',') return (labels) => Object.hasOwn(labels, key);
    if (operator.type === 'word' && (operator.text === 'in' || operator.text === 'notin')) {
      this.at += 1;
      return requireMember(key, operator.text === 'in', this.parseSet());
    }
    if (operator.type !== 'symbol' || !COMPARISONS.includes(operator.text)) return this.fail('an operator');
    this.at += 1;
    return this.compare(key, operator.text as Comparison, this.parseValue());
  }

  /** Reads a value, which may be empty before a comma and at the end. */
  private parseValue(): string {
    const next = this.tokens[this.at];
    return next === undefined || next.text === ',' ? '' : this.checkValue(this.readWord('a value'));
  }

  private compare(key: string, operator: Comparison, value: string): Requirement {
    if (operator === '<' || operator === '>') return this.compareNumbers(key, operator, value);
    return requireMember(key, operator !== '!=', new Set([value]));
  }

  private compareNumbers(key: string, operator: '<' | '>', value: string): Requirement {
    const bound = parseInt64(value);
    if (bound === undefined) throw this.createError(`"${shorten(value)}" after "${operator}" is not an integer`);
    return (labels) => {
      const actual = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? '') : undefined;
      return actual !== undefined && (operator === '<' ? actual < bound : actual > bound);
    };
  }

  /** Reads a list in parentheses. Kubernetes takes a missing member as the empty value. */
  private parseSet(): Set<string> {
    if (!this.skipSymbol('(')) this.fail('"("');
    const values = new Set<string>();
    if (this.skipSymbol(')')) return values.add('');
    for (;;) {
      if (this.tokens[this.at]?.type === 'word') {
        values.add(this.checkValue(this.readWord('a value')));
        if (this.skipSymbol(')')) return values;
        if (this.tokens[this.at]?.text !== ',') this.fail('"," or ")"');
      } else if (this.skipSymbol(',')) {
        if (values.size === 0) values.add('');
        if (this.skipSymbol(')')) return values.add('');
        if (this.skipSymbol(',')) values.add('');
      } else this.fail('a value');
    }
  }

  private checkValue(value: string): string {
    if (isLabelValue(value)) return value;
    throw this.createError(`"${shorten(value)}" is not a label value`);
  }

  private skipSymbol(text: string): boolean {
    const isNext = this.tokens[this.at]?.type === 'symbol' && this.tokens[this.at]?.text === text;
    if (isNext) this.at += 1;
    return isNext;
  }

  private readWord(expected: string): string {
    const token = this.tokens[this.at];
    if (token?.type !== 'word') return this.fail(expected);
    this.at += 1;
    return token.text;
  }

  private fail(expected: string): never {
    const token = this.tokens[this.at];
    const found = token === undefined ? 'it ends' : `"${shorten(token.text)}" stands`;
    throw this.createError(`${found} where ${expected} is expected`);
  }

  private createError(reason: string): ResourceStoreError {
    const shown = shorten(this.selector);
    return new ResourceStoreError('invalid_selector', `The label selector "${shown}" cannot be used: ${reason}.`);
  }
}

const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function requireMember(key: string, isMember: boolean, values: ReadonlySet<string>): Requirement {
  return (labels) => (Object.hasOwn(labels, key) ? values.has(labels[key] ?? '') === isMember : !isMember);
}

/** Parses a decimal integer of 64 bits, as Go does. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
