import type { Token } from 'scim2-parse-filter/lib/src/parser.js';

/** Maximum length of a filter in characters. */
export const MAX_FILTER_LENGTH = 4_096;
/** Maximum nesting of brackets in a filter. */
export const MAX_FILTER_DEPTH = 32;

/** Prefix of the name after `emails[…].`; it marks a sub-attribute of the element in the tree. */
export const OF_ELEMENT = '\u0000';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BLANK = /\s/;
const WORD_END = /[\s()[\]"]/;

/**
 * Splits a filter into the tokens of the parser, in one pass, and checks the depth of brackets. Its
 * time is linear in the length of the text. The parser's own tokenizer takes exponential time for
 * an unclosed string and loses JSON escapes.
 * @throws SyntaxError with the reason
 */
export function splitTokens(text: string): Token[] {
  if (text.length > MAX_FILTER_LENGTH)
    throw new SyntaxError(`A filter has at most ${MAX_FILTER_LENGTH} characters; this one has ${text.length}.`);
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (BLANK.test(character)) {
      at += 1;
    } else if (character === '"') {
      const literal = readQuotedString(text, at);
      tokens.push({ type: 'Quoted', literal });
      at += literal.length;
    } else if ('([])'.includes(character)) {
      depth += character === '(' || character === '[' ? 1 : -1;
      if (depth > MAX_FILTER_DEPTH) throw new SyntaxError(`A filter nests at most ${MAX_FILTER_DEPTH} levels.`);
      const dot = character === ']' && text.charAt(at + 1) === '.';
      tokens.push({ type: 'Bracket', literal: dot ? '].' : character });
      at += dot ? 2 : 1;
      if (dot) {
        const name = readWord(text, at);
        tokens.push({ type: 'Word', literal: `${OF_ELEMENT}${name}` });
        at += name.length;
      }
    } else {
      const literal = readWord(text, at);
      tokens.push(
        NUMBER.test(literal) ? { type: 'Number', literal } : { type: 'Word', literal: normalizeLiteral(literal) },
      );
      at += literal.length;
    }
  }
  if (depth !== 0) throw new SyntaxError('The brackets of the filter do not match.');
  const isBare = ({ type, literal }: Token, at: number) =>
    type === 'Word' && literal.toLowerCase() === 'not' && tokens[at + 1]?.literal !== '(';
  if (tokens.some(isBare)) throw new SyntaxError('`not` takes a filter in parentheses.');
  return [...tokens, { type: 'EOT', literal: '' }];
}

/** Reads the JSON string that starts at a quotation mark, with both marks. */
function readQuotedString(text: string, start: number): string {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return text.slice(start, at + 1);
  }
  throw new SyntaxError('A string in the filter is not closed.');
}

function readWord(text: string, start: number): string {
  let end = start;
  while (end < text.length && !WORD_END.test(text.charAt(end))) end += 1;
  if (end === start) throw new SyntaxError('The filter lacks a name after `].`.');
  return text.slice(start, end);
}

/** Converts literals such as `True`, which clients send, to JSON. */
const normalizeLiteral = (literal: string): string =>
  /^(?:true|false|null)$/i.test(literal) ? literal.toLowerCase() : literal;
