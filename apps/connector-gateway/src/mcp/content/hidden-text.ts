import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';

/** Kinds of text of an upstream that a person may not see, but that a model reads. */
export const HIDDEN_KINDS = ['control_characters', 'html_comment', 'invisible_characters', 'unsafe_icon'] as const;

/** One of these kinds. */
export type HiddenKind = (typeof HIDDEN_KINDS)[number];

/** ANSI sequences begin with one; tabs and line breaks are usual in descriptions. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** Characters without a glyph, such as tags and zero-width spaces, and changes of the direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/u;

const HIDDEN = new RegExp(`${CONTROL.source}|${INVISIBLE.source}`, 'gu');

/** Characters that join letters of other scripts, and parts of an emoji. */
const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d', '\ufe0f']);
const JOINED_BEFORE = /(?:[^\p{ASCII}\p{Default_Ignorable_Code_Point}]|\ufe0f)$/u;

const HTML_COMMENT = /<!--/;

/**
 * Lists the kinds of hidden text in a definition of a tool: its description, its schemas and its
 * icons. Instructions in plain words are not found.
 * @returns without repetition, in alphabetical order
 */
export function listHiddenKinds(definition: unknown): HiddenKind[] {
  const found = new Set<HiddenKind>();
  visitTexts(definition, (text) => {
    if (HTML_COMMENT.test(text)) found.add('html_comment');
    showHiddenText(text, (character) =>
      found.add(CONTROL.test(character) ? 'control_characters' : 'invisible_characters'),
    );
  });
  const icons = isJsonObject(definition) ? definition['icons'] : undefined;
  if (Array.isArray(icons) && !icons.every(isSafeIcon)) found.add('unsafe_icon');
  return HIDDEN_KINDS.filter((kind) => found.has(kind));
}

/**
 * Makes hidden characters visible: each is shown as its code, as JSON escapes it.
 * @param onFound receives each of them
 */
export function showHiddenText(text: string, onFound?: (character: string) => void): string {
  return text.replace(HIDDEN, (character, at: number) => {
    if (JOINERS.has(character) && JOINED_BEFORE.test(text.slice(Math.max(0, at - 2), at))) return character;
    onFound?.(character);
    const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** The same for all texts and names of a JSON object, such as a schema. */
export function showHiddenTexts(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [showHiddenText(name), showIn(value)]));
}

function showIn(value: unknown): unknown {
  if (typeof value === 'string') return showHiddenText(value);
  if (Array.isArray(value)) return value.map(showIn);
  return isJsonObject(value) ? showHiddenTexts(value) : value;
}

function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (Array.isArray(value)) for (const item of value) visitTexts(item, visit);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) {
      visit(name);
      visitTexts(member, visit);
    }
}

/** Whether an icon is an image that cannot contain scripts, or lies at an https address. */
function isSafeIcon(icon: unknown): boolean {
  const address = isJsonObject(icon) ? icon['src'] : undefined;
  return typeof address === 'string' && /^(?:https:\/\/|data:image\/(?:png|jpeg|webp|gif)[;,])/i.test(address);
}
