import Sequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';

/** Returns the longest time limit of a test or hook in a suite, in milliseconds. */
const longestLimit = (path) =>
  Math.max(
    0,
    ...[...readFileSync(path, 'utf8').matchAll(/^ *\}, ([\d_]+)\);$/gm)].map(([, limit]) =>
      Number(limit.replaceAll('_', '')),
    ),
  );

/**
 * Runs the suites with the longest time limits first. Otherwise the last suite could occupy one
 * worker while the others are idle.
 * @public jest reads it by path
 */
export default class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    const limits = new Map(tests.map((test) => [test, longestLimit(test.path)]));
    return [...tests].sort((one, other) => limits.get(other) - limits.get(one) || one.path.localeCompare(other.path));
  }
}
