// Sets the seed of property tests, which `npm test` prints, and their number of runs. It loads
// fast-check only for test files that use it.
if (globalThis.usesFastCheck) {
  const { default: fc } = await import('fast-check');
  const { GATEHOUSE_TEST_SEED, GATEHOUSE_TEST_EFFORT } = process.env;
  fc.configureGlobal({ seed: Number(GATEHOUSE_TEST_SEED), numRuns: 100 * Number(GATEHOUSE_TEST_EFFORT) });
}
