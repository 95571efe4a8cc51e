// Tests of properties: one seed for the whole run, which `npm test` prints, and as many runs as
// GATEHOUSE_TEST_EFFORT asks for. Loaded for every test file, so that fast-check is only where the
// file uses it.
if (globalThis.usesFastCheck) {
  const { default: fc } = await import('fast-check');
  const { GATEHOUSE_TEST_SEED, GATEHOUSE_TEST_EFFORT } = process.env;
  fc.configureGlobal({ seed: Number(GATEHOUSE_TEST_SEED), numRuns: 100 * Number(GATEHOUSE_TEST_EFFORT) });
}
