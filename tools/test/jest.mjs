// node tools/test/jest.mjs <project> <folder> [jest arguments] Runs the tests below
// <project>/<folder> and leaves jest's result as JSON in <project>/dist-test/, where `npm test`
// adds the results up. A run of some of them (with arguments for jest) leaves nothing there, so
// that it can go on beside another one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [project, folder, ...rest] = process.argv.slice(2);
const suite = folder === 'src' ? 'test' : folder;
// Suites against real parts wait more than they compute: two at a time keep two cores busy. Each
// has databases, ports and processes of its own.
const workers = folder === 'e2e' ? '2' : '1';
if (!existsSync(join(project, folder))) process.exit(0);
const results = rest.length === 0 ? resolve(project, 'dist-test') : mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
const evidence = join(results, 'contract', suite);
rmSync(evidence, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const { status } = spawnSync(
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
    join(results, `${suite}.json`),
    ...(rest.includes('--runInBand') ? [] : ['--maxWorkers', workers]),
    ...rest,
  ],
  { stdio: ['inherit', 'ignore', 'inherit'], env: { ...process.env, GATEHOUSE_CONTRACT_EVIDENCE: evidence } },
);
if (rest.length > 0) rmSync(results, { recursive: true, force: true });
process.exitCode = status ?? 1;
