// JSON values that are cheap to send and dear to read. Each shape makes the text of one value of
// about a number of bytes; `nodes` bounds its values.
import { Buffer } from 'node:buffer';

/** Values below the budget of a request, so that the text is parsed and judged. */
export const WITHIN = 49_000;

const repeated = (count, part) => Array.from({ length: Math.max(1, count) }, (_, at) => part(at)).join();
const countOf = (bytes, partBytes, nodes) => Math.floor(Math.min(bytes / partBytes, nodes));

/** Shapes by name: `(bytes, nodes) => text`. */
export const shapes = {
  'object of many members': (bytes, nodes) => `{${repeated(countOf(bytes, 11, nodes), (at) => `"k${at}":0`)}}`,
  'object of many texts': (bytes, nodes) => `{${repeated(countOf(bytes, 14, nodes), (at) => `"k${at}":"\\n"`)}}`,
  'one key again and again': (bytes, nodes) => `{${repeated(countOf(bytes, 6, nodes), () => '"a":1')}}`,
  'keys in escapes': (bytes, nodes) => `{${repeated(countOf(bytes, 17, nodes), (at) => `"\\u006b${at}":0`)}}`,
  'list of numbers': (bytes, nodes) => `[${repeated(countOf(bytes, 2, nodes), () => '0')}]`,
  'list of empty objects': (bytes, nodes) => `[${repeated(countOf(bytes, 3, nodes), () => '{}')}]`,
  'list of short texts': (bytes, nodes) => `[${repeated(countOf(bytes, 4, nodes), () => '"a"')}]`,
  'list of small items': (bytes, nodes) =>
    `[${repeated(countOf(bytes, 26, nodes / 3), (at) => `{"id":${at},"name":"x"}`)}]`,
  'list of ids': (bytes, nodes) =>
    `[${repeated(countOf(bytes, 39, nodes), (at) => `"00000000-0000-4000-8000-${String(at).padStart(12, '0')}"`)}]`,
  'lists 90 deep': (bytes, nodes) =>
    `[${repeated(countOf(bytes, 181, nodes / 90), () => '['.repeat(90) + ']'.repeat(90))}]`,
  'list below 95 objects': (bytes, nodes) =>
    `${'{"a":'.repeat(95)}[${repeated(countOf(bytes, 9, nodes), () => '"\\u0041"')}]${'}'.repeat(95)}`,
  'brackets alone': (bytes) => '['.repeat(bytes),
  'long text': (bytes) => `"${'x'.repeat(bytes)}"`,
  'long text beyond ASCII': (bytes) => `"${'€'.repeat(bytes / 3)}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(bytes / 2)}"`,
  'escaped characters': (bytes) => `"${'\\u20ac'.repeat(bytes / 6)}"`,
  'long number': (bytes) => '1'.repeat(bytes),
  'list of long numbers': (bytes, nodes) =>
    `[${repeated(countOf(bytes, 40, nodes), (at) => `0.${String(at).padStart(37, '1')}`)}]`,
};

/** All texts of a size: within the budget of nodes, and as many as fit. */
export function* hostileTexts(bytes) {
  for (const [name, make] of Object.entries(shapes)) {
    const within = make(bytes, WITHIN);
    yield { name, text: within };
    const beyond = make(bytes, Infinity);
    if (beyond.length > within.length) yield { name: `${name}, beyond the budget`, text: beyond };
  }
}

/** A text shorter than this part of its size has as many values as the budget allows. */
const FILLED = 0.75;

/**
 * Texts of several sizes, made when they are needed: `{ name, make }`. A text within the budget
 * that is the same for several sizes comes once.
 */
export function* hostileTextsOf(sizes) {
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
