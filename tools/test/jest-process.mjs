import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { testEnvironment } from './settings.mjs';

const KILL_AFTER_MS = 10_000;

/**
 * Runs jest and writes its result as JSON. A run beyond its time limit, or without a result, is
 * recorded as one failed suite.
 * @param request
 * - `name`: for messages
 * - `rootDir`, `roots`: folders of the tests
 * - `output`: the file of the result
 * - `evidence`: the folder of the responses that contract clients record, emptied before the run
 * - `minutes`: time limit, besides the deadline of the settings
 * - `args`: arguments of jest
 * @returns the exit code
 */
export async function runJest({ name, rootDir, roots, output, evidence, minutes, args, settings }) {
  rmSync(evidence, { recursive: true, force: true });
  rmSync(output, { force: true });
  mkdirSync(dirname(output), { recursive: true });

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
      rootDir,
      '--roots',
      ...roots,
      '--json',
      '--outputFile',
      output,
      ...args,
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

  const milliseconds = Math.max(0, Math.min(minutes * 60_000, settings.deadline - Date.now()));
  const reason = `the run did not end within ${Math.round(milliseconds / 60_000)} minutes`;
  let isOverdue = false;
  const limit = setTimeout(() => {
    isOverdue = true;
    console.error(`${name}: ${reason} and is stopped.`);
    signalGroup('SIGTERM');
    setTimeout(() => signalGroup('SIGKILL'), KILL_AFTER_MS).unref();
  }, milliseconds);

  const code = await new Promise((settle) => jest.once('exit', settle));
  clearTimeout(limit);
  signalGroup('SIGKILL');
  if (isOverdue || !existsSync(output)) {
    const message = isOverdue ? reason : 'jest ended without a result';
    const result = { name: roots[0], status: 'failed', message, assertionResults: [] };
    const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(output, JSON.stringify({ ...counts, numRuntimeErrorTestSuites: 1, testResults: [result] }));
  }
  return isOverdue ? 1 : (code ?? 1);
}
