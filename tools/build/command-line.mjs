import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { embedCedar } from './embed-cedar.mjs';
import { writeBundle } from './portable-bundle.mjs';
import { groupStart } from './start-chunks.mjs';
import { leaveOutWsl, loadUndiciLazily } from './start-up.mjs';

/** Native packages. Without one, its function has another implementation. */
export const NATIVE = ['@napi-rs/keyring'];

/** Packages that oclif imports for commands in TypeScript, which the bundle does not have. */
const UNUSED = ['typescript'];

/**
 * Bundles the built modules of the command line: `main.js`, `help.js`, each command below
 * `commands`, and the modules that they share below `chunks`.
 * @param {string} app folder of the command line
 * @param {string} target folder of the bundle
 */
export async function bundleCommandLine(app, target) {
  const built = join(app, 'dist');
  const commands = globSync(`${built}/commands/**/*.js`);
  const inputs = commands.map((file) => [relative(built, file).slice(0, -'.js'.length), resolve(file)]);
  await writeBundle({
    input: { main: resolve(built, 'main.js'), help: resolve(built, 'help.js'), ...Object.fromEntries(inputs) },
    folder: target,
    dependencies: [],
    optional: [...NATIVE, ...UNUSED],
    plugins: [leaveOutWsl, loadUndiciLazily, embedCedar],
    codeSplitting: groupStart(listStartSteps(built), describeSupervisor()),
  });
}

/**
 * The steps of a start. The first one starts the supervisor of `run`, so that it must not wait for
 * the modules of commands.
 */
function listStartSteps(built) {
  const files = (...names) => names.map((name) => resolve(built, `${name}.js`));
  return {
    main: [
      ...files('main', 'config/config', 'terminal/error-report'),
      resolve('libs/workloads/dist/supervision/supervisor-process.js'),
    ],
    command: files('base/base-command', 'base/direct-command'),
    workload: files('base/workload-command', 'commands/run'),
  };
}

/** The supervisor of a workload, which loads the parts for remote servers when it has one. */
function describeSupervisor() {
  const file = (name) => resolve('libs/workloads/dist', `${name}.js`);
  return { file: file('supervise'), steps: { remote: [file('remote/open-remote-server')] } };
}
