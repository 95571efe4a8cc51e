import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { bundleModule, bundleService } from './bundle.mjs';
import { bundleCommandLine } from './command-line.mjs';
import { computeHash, RECORD } from './emit.mjs';

/** The file in `dist` with the hash of the inputs of the last run of a step. */
const STAMP = '.step';

/** Returns the step that bundles a service. */
const bundleStep = (project) => ({
  inputs: [`{${project},libs/*,libs/contracts/*}/dist/${RECORD}`, 'tools/build/bundle.mjs', 'package-lock.json'],
  name: 'bundle',
  output: `${project}/dist/bundle/main.js`,
  run: () =>
    replaceFolder(
      `${project}/dist/bundle`,
      (fresh) => bundleService(project, resolve(fresh)),
      (file) => file === 'main.js',
    ),
});

/**
 * Build steps besides the modules of a project. A step runs when one of its inputs (globs from the
 * root of the repository) has changed or when its output is missing.
 */
const steps = {
  ...Object.fromEntries(
    ['enterprise-manager', 'connector-gateway', 'ai-gateway', 'ai-gateway-mgmt'].map((name) => [
      `apps/${name}`,
      bundleStep(`apps/${name}`),
    ]),
  ),
  'libs/workloads': {
    inputs: [
      `libs/{egress,errors,kubernetes,mcp,policy,proxy,retry,secrets,workloads}/dist/${RECORD}`,
      'tools/build/{bundle,embed-cedar}.mjs',
      'package-lock.json',
    ],
    name: 'programs of containers',
    output: 'libs/workloads/dist/bundle/sidecar.js',
    run: async () => {
      const bundles = 'libs/workloads/dist/bundle';
      await bundleModule('libs/workloads/dist/kubernetes/pod/proxy-pod.js', `${bundles}/proxy-pod.js`);
      await bundleModule('libs/workloads/dist/isolation/sidecar.js', `${bundles}/sidecar.js`);
    },
  },
  // The built modules of the CLI and of libraries contain the commands and flags.
  'apps/cli': {
    inputs: [
      `{apps/cli,libs/*,libs/contracts/*}/dist/${RECORD}`,
      'apps/cli/{package.json,tools/*}',
      'tools/build/{command-line,embed-cedar,portable-bundle,start-up}.mjs',
      'package-lock.json',
    ],
    name: 'bundle and list of commands',
    output: 'apps/cli/oclif.manifest.json',
    run: async () => {
      await replaceFolder(
        'apps/cli/dist/bundle',
        (fresh) => bundleCommandLine('apps/cli', resolve(fresh)),
        (file) => !file.startsWith('chunks/'),
      );
      execute(process.execPath, ['apps/cli/tools/manifest.mjs']);
    },
  },
  'apps/console': {
    inputs: ['apps/console/web/**/*', 'apps/console/package.json', 'package-lock.json'],
    name: 'web pages',
    output: 'apps/console/dist/web/index.html',
    run: buildConsole,
  },
};

/**
 * Runs the step of a project when it has one and the inputs have changed.
 * @param {string} project folder of the project
 * @param {(name: string) => void} onStart called before the step
 * @returns {Promise<boolean>} whether the step has run
 */
export async function runStep(project, onStart) {
  const step = steps[project];
  if (step === undefined) return false;
  const files = globSync(step.inputs, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const inputs = computeHash(...files.flatMap((file) => [file, readFileSync(file)]));
  const stamp = join(project, 'dist', STAMP);
  if (existsSync(stamp) && existsSync(step.output) && readFileSync(stamp, 'utf8') === inputs) return false;
  onStart(step.name);
  await step.run();
  writeFileSync(`${stamp}.${process.pid}`, inputs);
  renameSync(`${stamp}.${process.pid}`, stamp);
  return true;
}

function buildConsole() {
  return replaceFolder(
    'apps/console/dist/web',
    (fresh) => execute('vite', ['build', 'apps/console/web', '--outDir', resolve(fresh)]),
    (file) => file.endsWith('.html'),
  );
}

/**
 * Replaces a folder that programs may be reading. The files are created in a temporary folder and
 * moved, those that refer to others last.
 * @param {string} target
 * @param {(fresh: string) => void | Promise<void>} fill
 * @param {(file: string) => boolean} isEntry whether a file refers to others
 */
async function replaceFolder(target, fill, isEntry) {
  const fresh = join(dirname(target), `.tmp-${process.pid}-${basename(target)}`);
  try {
    await fill(fresh);
    const files = listFiles(fresh).sort((one, other) => Number(isEntry(one)) - Number(isEntry(other)));
    for (const file of files) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      renameSync(join(fresh, file), join(target, file));
    }
    for (const file of listFiles(target)) if (!files.includes(file)) rmSync(join(target, file));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const listFiles = (folder) =>
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
