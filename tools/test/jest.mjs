// Usage: node tools/test/jest.mjs <project> <folder> [jest arguments]
// Runs the tests below <project>/<folder> and writes the result of jest as JSON to
// <project>/dist-test/, where `npm test` reads it. A run with arguments of jest writes no result,
// so that it can run beside another one. A run beyond its time limit (settings.mjs) fails.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runJest } from './jest-process.mjs';
import { testSettings } from './settings.mjs';

const [project, folder, ...rest] = process.argv.slice(2);
const suite = folder === 'src' ? 'test' : folder;
// End-to-end suites wait a third of their time, so one more than the cores runs. Each has its own
// databases, ports and processes.
const workers = folder === 'e2e' ? String(availableParallelism() + 1) : '1';
if (!existsSync(join(project, 'package.json'))) throw new Error(`there is no project ${project}`);
if (!existsSync(join(project, folder))) process.exit(0);
const results = rest.length === 0 ? resolve(project, 'dist-test') : mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
const settings = testSettings();

process.exitCode = await runJest({
  name: `${project} ${folder}`,
  rootDir: resolve(project),
  roots: [resolve(project, folder)],
  output: join(results, `${suite}.json`),
  evidence: join(results, 'contract', suite),
  minutes: settings.minutes,
  args: [...(rest.includes('--runInBand') ? [] : ['--maxWorkers', workers]), ...rest],
  settings,
});
if (rest.length > 0) rmSync(results, { recursive: true, force: true });
