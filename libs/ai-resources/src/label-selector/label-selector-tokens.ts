/** The symbols of the label selector syntax. `==` and `!=` come before their first characters. */
const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '<', '>'] as const;

/** One token of a label selector: a symbol, or a word such as a key, a value, `in` or `notin`. */
export interface Token {
  readonly type: 'symbol' | 'word';
  readonly text: string;
}

const BLANKS = ' \t\r\n';
const WORD_ENDS = `${BLANKS}=!(),<>\0`;

/**
 * Splits a label selector into tokens, as the lexer of Kubernetes does: a NUL character ends a
 * token, and in any other place the selector.
 */
export function splitSelector(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = skipBlanks(text, 0); at < text.length && text[at] !== '\0'; at = skipBlanks(text, at)) {
    const token = readToken(text, at);
    tokens.push(token);
    at += token.text.length;
    if (text[at] === '\0') at += 1;
  }
  return tokens;
}

function readToken(text: string, at: number): Token {
  const symbol = SYMBOLS.find((one) => text.startsWith(one, at));
  if (symbol !== undefined) return { type: 'symbol', text: symbol };
  let end = at;
  while (end < text.length && !WORD_ENDS.includes(text.charAt(end))) end += 1;
  return { type: 'word', text: text.slice(at, end) };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text.charAt(at))) at += 1;
  return at;
}
