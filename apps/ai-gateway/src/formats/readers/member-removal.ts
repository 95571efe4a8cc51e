import { type FoundKey, isAtTopLevel } from './key-finder.ts';

const COMMA = 0x2c;
const NULL_BYTES = 4;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Removes a member with the value null, and one comma, from the outermost object of a JSON text.
 * @returns the text without it; the same text if the member is not directly in that object
 */
export function removeMember(text: Uint8Array, { keyStart, valueStart }: FoundKey<string>): Uint8Array {
  if (!isAtTopLevel(text, keyStart)) return text;
  let [start, end] = [keyStart, valueStart + NULL_BYTES];
  let before = start - 1;
  while (isSpace(text[before])) before -= 1;
  if (text[before] === COMMA) start = before;
  else {
    while (isSpace(text[end])) end += 1;
    if (text[end] === COMMA) end += 1;
  }
  return Buffer.concat([text.subarray(0, start), text.subarray(end)]);
}
