import { randomUUID } from 'node:crypto';
import { MAX_DEPTH, checkStructure, endOfString } from './json-structure.ts';
import { Refusal } from './refusal.ts';

/** Stands for an item of a batch that is JSON, and breaks the rules of bodies. */
export class UnreadableItem {
  constructor(
    /** Which rule, in a sentence. */
    readonly message: string,
  ) {}
}

/** A batch is an object with a list of items: those lie two levels deep. */
const ITEM_DEPTH = 2;

/** A body that can be read. */
interface ReadableBody {
  /** The body's text, with a placeholder for each item that cannot be read. */
  text: string;
  /** Puts an `UnreadableItem` in the place of each placeholder. @param body what the text was parsed to */
  restore(body: object): object;
}

/**
 * Takes those items out of the text of a batch that break rules of bodies by themselves.
 * @returns undefined where there is none
 * @throws SyntaxError for some texts that are not JSON
 */
export function withoutBadItems(text: string): ReadableBody | undefined {
  const bad = new Map<unknown, UnreadableItem>();
  const parts: string[] = [];
  let end = 0;
  for (const item of itemsOf(text)) {
    const message = faultOf(text.slice(item.start, item.end));
    if (message === undefined) continue;
    const placeholder = randomUUID();
    bad.set(placeholder, new UnreadableItem(message));
    parts.push(text.slice(end, item.start), JSON.stringify(placeholder));
    end = item.end;
  }
  if (bad.size === 0) return undefined;
  const restored = (member: unknown): unknown =>
    Array.isArray(member) ? member.map((item: unknown) => bad.get(item) ?? item) : member;
  return {
    text: parts.join('') + text.slice(end),
    restore: (body) => Object.fromEntries(Object.entries(body).map(([name, member]) => [name, restored(member)])),
  };
}

/** Where the objects and lists begin and end that are items of a list of the outermost object. */
function* itemsOf(text: string): Generator<{ start: number; end: number }> {
  let depth = 0;
  let start = 0;
  let [inObject, inList] = [false, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      if (depth === 0) inObject = character === '{';
      if (depth === 1) inList = character === '[';
      if (depth === ITEM_DEPTH) start = at;
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === ITEM_DEPTH && inObject && inList) yield { start, end: at + 1 };
    }
  }
}

function faultOf(item: string): string | undefined {
  try {
    checkStructure(item, MAX_DEPTH - ITEM_DEPTH);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
