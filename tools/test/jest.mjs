// Usage: node tools/test/jest.mjs <project> <folder> [jest arguments]
// Runs the tests below <project>/<folder> and writes the result of jest as JSON to
// <project>/dist-test/, where `npm test` reads it. A run with arguments of jest writes no result,
// so that it can run beside another one. A run beyond its time limit (settings.mjs) fails.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { testEnvironment, testSettings } from './settings.mjs';

const KILL_AFTER_MS = 10_000;

const [project, folder, ...rest] = process.argv.slice(2);
const suite = folder === 'src' ? 'test' : folder;
// End-to-end suites wait a third of their time, so one more than the cores runs. Each has its own
// databases, ports and processes.
const workers = folder === 'e2e' ? String(availableParallelism() + 1) : '1';
if (!existsSync(join(project, 'package.json'))) throw new Error(`there is no project ${project}`);
if (!existsSync(join(project, folder))) process.exit(0);
const results = rest.length === 0 ? resolve(project, 'dist-test') : mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
const evidence = join(results, 'contract', suite);
const output = join(results, `${suite}.json`);
rmSync(evidence, { recursive: true, force: true });
rmSync(output, { force: true });
mkdirSync(results, { recursive: true });
const settings = testSettings();

// jest has its own process group, so that the time limit also ends processes of the tests.
const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    resolve('node_modules/jest/bin/jest.js'),
    '--config',
    resolve('tools/test/jest.config.mjs'),
    '--rootDir',
    resolve(project),
    '--roots',
    resolve(project, folder),
    '--json',
    '--outputFile',
    output,
    ...(rest.includes('--runInBand') ? [] : ['--maxWorkers', workers]),
    ...rest,
  ],
  {
    stdio: ['inherit', 'ignore', 'inherit'],
    detached: true,
    env: { ...process.env, ...testEnvironment(settings), GATEHOUSE_CONTRACT_EVIDENCE: evidence },
  },
);
const signalGroup = (signal) => {
  try {
    process.kill(-jest.pid, signal);
  } catch {
    // The group has ended.
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signalGroup(signal));

const milliseconds = Math.max(0, Math.min(settings.minutes * 60_000, settings.deadline - Date.now()));
const reason = `the run did not end within ${Math.round(milliseconds / 60_000)} minutes`;
let isOverdue = false;
const limit = setTimeout(() => {
  isOverdue = true;
  console.error(`${project} ${folder}: ${reason} and is stopped.`);
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), KILL_AFTER_MS).unref();
}, milliseconds);

jest.once('exit', (code) => {
  clearTimeout(limit);
  signalGroup('SIGKILL');
  if (isOverdue || !existsSync(output)) {
    const message = isOverdue ? reason : 'jest ended without a result';
    const result = { name: resolve(project, folder), status: 'failed', message, assertionResults: [] };
    const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(output, JSON.stringify({ ...counts, numRuntimeErrorTestSuites: 1, testResults: [result] }));
  }
  if (rest.length > 0) rmSync(results, { recursive: true, force: true });
  process.exitCode = isOverdue ? 1 : (code ?? 1);
});
