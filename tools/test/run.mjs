// npm test [-- --only <nx project>[,…]]
// Runs every suite that this machine can run against real parts. The suites share one Postgres and one container engine (libs/testing starts them).
// Names each suite that could not run, with the reason, and ends with `N passed, N failed, N skipped`.
// GATEHOUSE_REQUIRE_ALL=true (set by .ci/run) makes a skipped suite a failure.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const nx = resolve('node_modules/.bin/nx');
const only = process.argv.indexOf('--only') > 0 ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const projects = only === undefined ? [] : ['--projects', only];

const run = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;

let failures = run(nx, ['run-many', '-t', 'build', '--output-style', 'stream']) === 0 ? 0 : 1;

const cache = process.env.CI ? ['--skip-nx-cache'] : [];
try {
  for (const [target, parallel] of [
    ['test', '2'],
    ['e2e', '1'],
  ]) {
    const args = ['run-many', '-t', target, '--parallel', parallel, ...projects, ...cache, '--output-style', 'stream'];
    if (run(nx, args) !== 0) failures += 1;
  }
} finally {
  run(process.execPath, [resolve('tools/testbed/stop.mjs')]);
}

const counts = { passed: 0, failed: Number(process.env.GATEHOUSE_FAILED_BEFORE ?? 0), skipped: 0 };
const skipped = new Set();
for (const file of globSync('{apps,libs,tools}/**/dist-test/{test,e2e}.json', {
  exclude: (path) => path.includes('node_modules'),
})) {
  if (only !== undefined && !only.split(',').some((name) => file.includes(`/${name.replace('@gatehouse/', '')}/`)))
    continue;
  const result = JSON.parse(readFileSync(file, 'utf8'));
  counts.passed += result.numPassedTests;
  counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  counts.skipped += result.numPendingTests + result.numTodoTests;
  // From the results and not from the run: a result that was replayed from the cache has skipped the same.
  for (const { ancestorTitles, title, status } of result.testResults.flatMap((suite) => suite.assertionResults))
    if (status === 'pending' || status === 'todo') skipped.add(`skipped: ${[...ancestorTitles, title].join(': ')}`);
}

if (only === undefined) {
  const { missingEvidence } = await import(resolve('tools/contracts/evidence.ts'));
  const missing = missingEvidence();
  for (const line of missing) console.error(line);
  counts[missing.length === 0 ? 'passed' : 'failed'] += 1;
}
for (const line of skipped) console.error(line);
if (failures > 0 && counts.failed === 0) counts.failed = failures;
if (process.env.GATEHOUSE_REQUIRE_ALL === 'true' && counts.skipped > 0) counts.failed += 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;
