// The program of `npm test [-- --only <nx project>[,…]]`. The suites share one Postgres and one
// container engine, which libs/testing starts. In CI one run of jest has all suites in one queue
// (docs/decisions/0269); else nx runs the suites of each project and keeps their results. At the
// end it lists each failed test with the first lines of its message, and each skipped suite with
// the reason. The last line is `N passed, N failed, N skipped`. With GATEHOUSE_REQUIRE_ALL=true
// (.ci/run) a skipped suite is a failure.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runJest } from './jest-process.mjs';
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

/** Runs the suites of all projects in one run of jest. @returns whether all passed */
async function runInOneQueue() {
  const roots = globSync('{apps,libs,tools}/*/{src,e2e}').filter((root) => globSync(`${root}/**/*.test.ts`).length > 0);
  for (const root of roots) {
    rmSync(resolve(root, '../dist-test'), { recursive: true, force: true });
    // Suites with a browser keep pictures there.
    mkdirSync(resolve(root, '../dist-test'), { recursive: true });
  }
  const code = await runJest({
    name: 'all suites',
    rootDir: resolve('.'),
    roots: roots.map((root) => resolve(root)),
    output: resolve('dist-test/all.json'),
    evidence: resolve('dist-test/contract'),
    minutes: Infinity,
    // Suites wait a part of their time, so one more than the cores runs.
    args: ['--maxWorkers', String(availableParallelism() + 1)],
    settings,
  });
  return code === 0;
}

/**
 * Runs the suites of each project and uses the results of unchanged ones.
 * @returns whether all passed
 */
function runProjects() {
  rmSync('dist-test', { recursive: true, force: true });
  const cache = process.env.CI ? ['--skip-nx-cache'] : [];
  const statuses = [
    ['test', '2'],
    ['e2e', '1'],
  ].map(([target, parallel]) =>
    run(nx, ['run-many', '-t', target, '--parallel', parallel, ...projects, ...cache, '--output-style', 'stream']),
  );
  return statuses.every((status) => status === 0);
}

try {
  if (!(process.env.CI && only === undefined ? await runInOneQueue() : runProjects())) failures += 1;
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
for (const file of globSync('{dist-test/all,{apps,libs,tools}/**/dist-test/{test,e2e}}.json', {
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
    // An error outside of the tests is in `message`: a suite that cannot be loaded, or a hook that
    // failed after the last test. Jest gives such a suite no duration.
    const hasFailedTest = suite.assertionResults.some(({ status }) => status === 'failed');
    if (suite.status === 'failed' && (!hasFailedTest || suite.startTime === suite.endTime))
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
