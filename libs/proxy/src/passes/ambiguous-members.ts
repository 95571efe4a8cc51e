/**
 * Finds members that servers can read differently. JavaScript takes the last of two equal members;
 * other parsers take the first, and those of Go also take `Name` for `name`.
 */

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Members of a message and of its params have fixed names, in lower and upper case letters. */
const FOLDED_LEVELS = 2;
/** The members of the arguments of a tool, which have free names. */
const MAX_LEVELS = 3;
/** The members by which passes decide, for each level. Some servers read them in any case. */
const DECISIVE: readonly ReadonlySet<string>[] = [
  new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']),
  new Set(['name', 'arguments']),
];

/** A member that servers can read differently. */
export interface AmbiguousMember {
  readonly name: string;
  /** Whether it occurs twice; otherwise it has another case than MCP gives it. */
  readonly isRepeated: boolean;
}

/**
 * Finds a member of a message, of its params or of the objects in them that occurs twice, or a
 * member of a message or its params that has another case. Case makes no difference between the
 * members of the message and between those of its params.
 * @param text valid JSON
 */
export function findAmbiguousMember(text: string): AmbiguousMember | undefined {
  /** The members of each open object; undefined for an array and for a deeper object. */
  const open: (Set<string> | undefined)[] = [];
  let [start, end] = [0, 0];
  /** Whether the last text has only characters that neither JSON escapes nor folding changes. */
  let isPlain = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      start = at;
      isPlain = true;
      for (let inner = text.charCodeAt(++at); inner !== QUOTE; inner = text.charCodeAt(++at)) {
        if (inner === BACKSLASH) at++;
        if (!isUnfolded(inner)) isPlain = false;
      }
      end = at + 1;
    } else if (code === OPEN_OBJECT) open.push(open.length < MAX_LEVELS ? new Set() : undefined);
    else if (code === OPEN_ARRAY) open.push(undefined);
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open.pop();
    else if (code === COLON) {
      const members = open.at(-1);
      if (members === undefined) continue;
      const name = isPlain ? text.slice(start + 1, end - 1) : (JSON.parse(text.slice(start, end)) as string);
      const key = isPlain || open.length > FOLDED_LEVELS ? name : name.normalize('NFKC').toLowerCase();
      if (members.has(key)) return { name, isRepeated: true };
      if (key !== name && DECISIVE[open.length - 1]?.has(key)) return { name, isRepeated: false };
      members.add(key);
    }
  }
  return undefined;
}

/** Whether a character stands for itself in JSON, in NFKC and in lower case. */
const isUnfolded = (code: number): boolean => code < 0x80 && code !== BACKSLASH && !(code >= 0x41 && code <= 0x5a);
