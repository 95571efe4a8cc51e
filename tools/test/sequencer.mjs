import Sequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';

/** The longest time limit that a suite gives to a test or hook of its own, in milliseconds. */
const longestLimit = (path) =>
  Math.max(
    0,
    ...[...readFileSync(path, 'utf8').matchAll(/^ *\}, ([\d_]+)\);$/gm)].map(([, limit]) =>
      Number(limit.replaceAll('_', '')),
    ),
  );

/**
 * Suites that need long come first, known by the limits they ask for: with several workers the last
 * one would otherwise keep one of them while the others have nothing left.
 * @public jest reads it by path
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const limits = new Map(tests.map((test) => [test, longestLimit(test.path)]));
    return [...tests].sort((one, other) => limits.get(other) - limits.get(one) || one.path.localeCompare(other.path));
  }
}
