import Sequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { projectOf } from './project.mjs';

/** It builds the images of other suites, which would wait for its downloads. */
const BUILDS_IMAGES = /\/libs\/testing\/src\/images\.test\.ts$/;

/** Returns the longest time limit of a test or hook in a suite, in milliseconds. */
const longestLimit = (path) =>
  Math.max(
    0,
    ...[...readFileSync(path, 'utf8').matchAll(/^ *\}, ([\d_]+)\);$/gm)].map(([, limit]) =>
      Number(limit.replaceAll('_', '')),
    ),
  );

/**
 * Runs the suites of a project one after another, the projects with most suites first, and in a
 * project the suites with the longest time limits first. Otherwise the last suite could occupy one
 * worker while the others are idle.
 * @public jest reads it by path
 */
export default class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    const sizes = new Map();
    for (const { path } of tests) sizes.set(projectOf(path), (sizes.get(projectOf(path)) ?? 0) + 1);
    const places = tests.map((test) => ({
      test,
      isFirst: BUILDS_IMAGES.test(test.path),
      project: projectOf(test.path),
      limit: longestLimit(test.path),
    }));
    places.sort(
      (one, other) =>
        other.isFirst - one.isFirst ||
        sizes.get(other.project) - sizes.get(one.project) ||
        one.project.localeCompare(other.project) ||
        other.limit - one.limit ||
        one.test.path.localeCompare(other.test.path),
    );
    return places.map(({ test }) => test);
  }
}
