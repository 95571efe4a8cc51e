import { createHash } from 'node:crypto';

/**
 * Factor on the number of runs of property, kill and differential tests: GATEHOUSE_TEST_EFFORT, 1
 * unless set. `npm run test:long` sets 20.
 */
export const effort = Number(process.env['GATEHOUSE_TEST_EFFORT'] ?? 1);

/**
 * Seed of the random tests of this run: GATEHOUSE_TEST_SEED. `npm test` prints it, so that a run
 * can be repeated.
 */
export const seed = Number(process.env['GATEHOUSE_TEST_SEED'] ?? 1);

/** A number from 0 to 1 that depends on the seed of this run and on the name only. */
export const drawNumber = (name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() / 2 ** 32;

/**
 * Selects some of the values by the seed of this run, in their order. An effort of 4 selects all.
 * @param name of the selection, so that each selection of a run is a different one
 */
export function drawValues<Value>(name: string, values: readonly Value[]): Value[] {
  const count = Math.ceil(values.length * Math.min(1, effort / 4));
  const ranks = new Map(values.map((value, at) => [value, drawNumber(`${name} ${at}`)]));
  const chosen = new Set([...values].sort((one, other) => ranks.get(one)! - ranks.get(other)!).slice(0, count));
  return values.filter((value) => chosen.has(value));
}
