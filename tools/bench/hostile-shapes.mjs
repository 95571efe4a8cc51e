// JSON values that are cheap to send and expensive to read. Each shape returns the text of a value
// with about `bytes` bytes and at most `nodes` values.
import { Buffer } from 'node:buffer';

/** A number of values within the limit of a request, so that the text is parsed and validated. */
export const WITHIN = 49_000;

const repeated = (count, part) => Array.from({ length: Math.max(1, count) }, (_, at) => part(at)).join();
const countParts = (bytes, partBytes, nodes) => Math.floor(Math.min(bytes / partBytes, nodes));

/** Shapes by name: `(bytes, nodes) => text`. */
export const shapes = {
  'object of many members': (bytes, nodes) => `{${repeated(countParts(bytes, 11, nodes), (at) => `"k${at}":0`)}}`,
  'object of many texts': (bytes, nodes) => `{${repeated(countParts(bytes, 14, nodes), (at) => `"k${at}":"\\n"`)}}`,
  'one repeated key': (bytes, nodes) => `{${repeated(countParts(bytes, 6, nodes), () => '"a":1')}}`,
  'keys in escapes': (bytes, nodes) => `{${repeated(countParts(bytes, 17, nodes), (at) => `"\\u006b${at}":0`)}}`,
  'list of numbers': (bytes, nodes) => `[${repeated(countParts(bytes, 2, nodes), () => '0')}]`,
  'list of empty objects': (bytes, nodes) => `[${repeated(countParts(bytes, 3, nodes), () => '{}')}]`,
  'list of short texts': (bytes, nodes) => `[${repeated(countParts(bytes, 4, nodes), () => '"a"')}]`,
  'list of small items': (bytes, nodes) =>
    `[${repeated(countParts(bytes, 26, nodes / 3), (at) => `{"id":${at},"name":"x"}`)}]`,
  'list of ids': (bytes, nodes) =>
    `[${repeated(countParts(bytes, 39, nodes), (at) => `"00000000-0000-4000-8000-${String(at).padStart(12, '0')}"`)}]`,
  'lists 90 deep': (bytes, nodes) =>
    `[${repeated(countParts(bytes, 181, nodes / 90), () => '['.repeat(90) + ']'.repeat(90))}]`,
  'list below 95 objects': (bytes, nodes) =>
    `${'{"a":'.repeat(95)}[${repeated(countParts(bytes, 9, nodes), () => '"\\u0041"')}]${'}'.repeat(95)}`,
  'only brackets': (bytes) => '['.repeat(bytes),
  'long text': (bytes) => `"${'x'.repeat(bytes)}"`,
  'long text beyond ASCII': (bytes) => `"${'€'.repeat(bytes / 3)}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(bytes / 2)}"`,
  'escaped characters': (bytes) => `"${'\\u20ac'.repeat(bytes / 6)}"`,
  'long number': (bytes) => '1'.repeat(bytes),
  'list of long numbers': (bytes, nodes) =>
    `[${repeated(countParts(bytes, 40, nodes), (at) => `0.${String(at).padStart(37, '1')}`)}]`,
};

/** Returns all texts of a size: within the limit of values, and with as many values as possible. */
export function* generateHostileTexts(bytes) {
  for (const [name, make] of Object.entries(shapes)) {
    const within = make(bytes, WITHIN);
    yield { name, text: within };
    const beyond = make(bytes, Infinity);
    if (beyond.length > within.length) yield { name: `${name}, beyond the budget`, text: beyond };
  }
}

/** A text below this share of the size is limited by its number of values. */
const FILLED = 0.75;

/**
 * Returns texts of several sizes as `{ name, make }`. A text within the limit that is the same for
 * several sizes is returned once.
 */
export function* generateHostileTextsBySize(sizes) {
  for (const [name, make] of Object.entries(shapes)) {
    let last = 0;
    for (const bytes of sizes) {
      const size = `${(bytes / 1e6).toFixed(2)} MB`;
      const length = Buffer.byteLength(make(bytes, WITHIN));
      if (length > last) yield { name: `${name}, at most ${size}`, make: () => make(bytes, WITHIN) };
      last = length;
      if (length < bytes * FILLED)
        yield { name: `${name}, beyond the budget, ${size}`, make: () => make(bytes, Infinity) };
    }
  }
}
