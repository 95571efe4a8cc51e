import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { hashOf, RECORD } from './emit.mjs';

/** The hash of the inputs with which a project's further step has run, in its `dist`. */
const STAMP = '.step';

/**
 * What projects need besides their modules. Inputs are globs from the root of the repository; the
 * step runs when one of them has changed or its output is missing.
 */
const steps = {
  // Commands and flags come from the built modules, also from those of libraries.
  'apps/cli': {
    inputs: [
      `{apps/cli,libs/*,libs/contracts/*}/dist/${RECORD}`,
      'apps/cli/{package.json,tools/*}',
      'package-lock.json',
    ],
    what: 'list of commands',
    output: 'apps/cli/oclif.manifest.json',
    run: () => execute(process.execPath, ['apps/cli/tools/manifest.mjs']),
  },
  'apps/console': {
    inputs: ['apps/console/web/**/*', 'apps/console/package.json', 'package-lock.json'],
    what: 'web pages',
    output: 'apps/console/dist/web/index.html',
    run: buildConsole,
  },
};

/**
 * Runs the further step of a project, if it has one and its inputs have changed.
 * @param {string} project folder of the project
 * @param {(what: string) => void} started called before the step runs
 * @returns {boolean} whether the step has run
 */
export function runStep(project, started) {
  const step = steps[project];
  if (step === undefined) return false;
  const files = globSync(step.inputs, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const inputs = hashOf(...files.flatMap((file) => [file, readFileSync(file)]));
  const stamp = join(project, 'dist', STAMP);
  if (existsSync(stamp) && existsSync(step.output) && readFileSync(stamp, 'utf8') === inputs) return false;
  started(step.what);
  step.run();
  writeFileSync(`${stamp}.${process.pid}`, inputs);
  renameSync(`${stamp}.${process.pid}`, stamp);
  return true;
}

/**
 * Vite empties its folder first. The pages are built beside it and moved: assets first, the page
 * that names them last.
 */
function buildConsole() {
  const target = 'apps/console/dist/web';
  const fresh = `apps/console/dist/.tmp-${process.pid}-web`;
  try {
    execute('vite', ['build', 'apps/console/web', '--outDir', resolve(fresh)]);
    const files = filesOf(fresh).sort((one, other) => Number(one.endsWith('.html')) - Number(other.endsWith('.html')));
    for (const file of files) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      renameSync(join(fresh, file), join(target, file));
    }
    for (const file of filesOf(target)) if (!files.includes(file)) rmSync(join(target, file));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const filesOf = (folder) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

function execute(command, args) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}` },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}
