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
