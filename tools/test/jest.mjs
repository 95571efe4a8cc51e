// node tools/test/jest.mjs <project> <folder> [jest arguments]
// Runs the tests below <project>/<folder> and leaves jest's result as JSON in <project>/dist-test/, where `npm test` adds the results up.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [project, folder, ...rest] = process.argv.slice(2);
const suite = folder === 'src' ? 'test' : folder;
if (!existsSync(join(project, folder))) process.exit(0);
const evidence = resolve(project, 'dist-test', 'contract', suite);
rmSync(evidence, { recursive: true, force: true });
mkdirSync(join(project, 'dist-test'), { recursive: true });
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
    resolve(project, 'dist-test', `${suite}.json`),
    ...(rest.includes('--runInBand') ? [] : ['--maxWorkers', '1']),
    ...rest,
  ],
  { stdio: ['inherit', 'ignore', 'inherit'], env: { ...process.env, GATEHOUSE_CONTRACT_EVIDENCE: evidence } },
);
process.exitCode = status ?? 1;
