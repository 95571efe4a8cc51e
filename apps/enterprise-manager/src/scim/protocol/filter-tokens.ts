import type { Token } from 'scim2-parse-filter/lib/src/parser.js';

/** Longest filter in characters. */
export const MAX_FILTER_LENGTH = 4_096;
/** How deep brackets of a filter may nest. */
export const MAX_FILTER_DEPTH = 32;

/**
 * Stands in front of the name behind `emails[…].`, so that the tree shows that it belongs to the
 * element.
 */
export const OF_ELEMENT = '\u0000';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BLANK = /\s/;
const WORD_END = /[\s()[\]"]/;

/**
 * Cuts a filter into the tokens that the parser takes, in one pass over bounded text, and checks
 * bracket depth before anything is parsed: neither nesting nor repetition costs more than the
 * length of the text. (The parser's own tokenizer needs exponential time for an unclosed string,
 * and loses JSON escapes.)
 * @throws SyntaxError with a sentence about what is wrong
 */
export function filterTokens(text: string): Token[] {
  if (text.length > MAX_FILTER_LENGTH)
    throw new SyntaxError(`A filter has at most ${MAX_FILTER_LENGTH} characters; this one has ${text.length}.`);
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (BLANK.test(character)) {
      at += 1;
    } else if (character === '"') {
      const literal = quoted(text, at);
      tokens.push({ type: 'Quoted', literal });
      at += literal.length;
    } else if ('([])'.includes(character)) {
      depth += character === '(' || character === '[' ? 1 : -1;
      if (depth > MAX_FILTER_DEPTH) throw new SyntaxError(`A filter nests at most ${MAX_FILTER_DEPTH} levels.`);
      const dot = character === ']' && text.charAt(at + 1) === '.';
      tokens.push({ type: 'Bracket', literal: dot ? '].' : character });
      at += dot ? 2 : 1;
      if (dot) {
        const name = word(text, at);
        tokens.push({ type: 'Word', literal: `${OF_ELEMENT}${name}` });
        at += name.length;
      }
    } else {
      const literal = word(text, at);
      tokens.push(NUMBER.test(literal) ? { type: 'Number', literal } : { type: 'Word', literal: spelled(literal) });
      at += literal.length;
    }
  }
  if (depth !== 0) throw new SyntaxError('The brackets of the filter do not match.');
  const isBare = ({ type, literal }: Token, at: number) =>
    type === 'Word' && literal.toLowerCase() === 'not' && tokens[at + 1]?.literal !== '(';
  if (tokens.some(isBare)) throw new SyntaxError('`not` takes a filter in parentheses.');
  return [...tokens, { type: 'EOT', literal: '' }];
}

/** The JSON string that starts at a quotation mark, with both marks. */
function quoted(text: string, start: number): string {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return text.slice(start, at + 1);
  }
  throw new SyntaxError('A string in the filter is not closed.');
}

function word(text: string, start: number): string {
  let end = start;
  while (end < text.length && !WORD_END.test(text.charAt(end))) end += 1;
  if (end === start) throw new SyntaxError('The filter lacks a name after `].`.');
  return text.slice(start, end);
}

/** Clients write `True` where JSON has `true`. */
const spelled = (literal: string): string => (/^(?:true|false|null)$/i.test(literal) ? literal.toLowerCase() : literal);
