// The program of `npm test [-- --only <nx project>[,…]]`. The suites share one Postgres and one
// container engine, which libs/testing starts. At the end it lists each failed test with the first
// lines of its message, and each skipped suite with the reason. The last line is `N passed, N
// failed, N skipped`. With GATEHOUSE_REQUIRE_ALL=true (.ci/run) a skipped suite is a failure.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { testEnvironment, testSettings } from './settings.mjs';

const SLOWEST = 10;

const nx = resolve('node_modules/.bin/nx');
const only = process.argv.indexOf('--only') > 0 ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const projects = only === undefined ? [] : ['--projects', only];

const settings = testSettings();
const env = { ...process.env, ...testEnvironment(settings) };
const run = (command, args) => spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;

console.error(`Property tests use GATEHOUSE_TEST_SEED=${settings.seed}, effort ${settings.effort}.`);

let failures = run(process.execPath, [resolve('tools/build/build.mjs')]) === 0 ? 0 : 1;

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
const failed = [];
const suites = [];
/** Returns the first lines of the message of a failed test, indented and without colours. */
const firstLines = (message, lines = 12) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, lines)
    .map((line) => `    ${line}`)
    .join('\n');
for (const file of globSync('{apps,libs,tools}/**/dist-test/{test,e2e}.json', {
  exclude: (path) => path.includes('node_modules'),
})) {
  if (only !== undefined && !only.split(',').some((name) => file.includes(`/${name.replace('@gatehouse/', '')}/`)))
    continue;
  const result = JSON.parse(readFileSync(file, 'utf8'));
  counts.passed += result.numPassedTests;
  counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  counts.skipped += result.numPendingTests + result.numTodoTests;
  // Cached results also contain skipped tests, so the results are read instead of the output.
  for (const suite of result.testResults) {
    if (suite.endTime > suite.startTime) suites.push([suite.endTime - suite.startTime, relative('.', suite.name)]);
    // The error of a suite that failed before its first test is in `message`.
    if (suite.status === 'failed' && suite.assertionResults.length === 0)
      failed.push(`failed: ${relative('.', suite.name)}\n${firstLines(suite.message)}`);
    for (const { ancestorTitles, title, status, failureMessages } of suite.assertionResults) {
      const name = [...ancestorTitles, title].join(': ');
      if (status === 'pending' || status === 'todo') skipped.add(`skipped: ${name}`);
      if (status === 'failed')
        failed.push(`failed: ${relative('.', suite.name)}: ${name}\n${firstLines(failureMessages.join('\n'))}`);
    }
  }
}

if (only === undefined) {
  const { missingEvidence } = await import(resolve('tools/contracts/evidence.ts'));
  const missing = missingEvidence();
  for (const line of missing) console.error(line);
  counts[missing.length === 0 ? 'passed' : 'failed'] += 1;
}
const slowest = suites.sort(([one], [other]) => other - one).slice(0, SLOWEST);
console.error(`The ${slowest.length} slowest suites:`);
for (const [milliseconds, name] of slowest) console.error(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${name}`);
for (const line of [...failed, ...skipped]) console.error(line);
if (failures > 0 && counts.failed === 0) counts.failed = failures;
if (process.env.GATEHOUSE_REQUIRE_ALL === 'true' && counts.skipped > 0) counts.failed += 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;
