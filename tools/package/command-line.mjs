import { chmodSync, copyFileSync, globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeBundle } from './bundle.mjs';
import { leaveOutWsl } from './start-up.mjs';
import { pinDependencies, readJson, writeManifest } from './manifest.mjs';

const SOURCE = 'apps/cli';

/** Native packages. Without one, its function has another implementation. */
const NATIVE = ['@napi-rs/keyring'];

/** Packages that oclif imports for commands in TypeScript, which the package does not have. */
const UNUSED = ['typescript'];

/**
 * Fills the folder of the package `gatehouse`: the bundled commands, their list, and the program.
 * @param {string} folder
 */
export async function fillCommandLine(folder) {
  const built = globSync(`${SOURCE}/dist/commands/**/*.js`);
  const commands = built.map((file) => [file.slice(`${SOURCE}/dist/`.length, -'.js'.length), resolve(file)]);
  await writeBundle({
    input: { main: resolve(SOURCE, 'dist/main.js'), ...Object.fromEntries(commands) },
    folder: join(folder, 'dist'),
    dependencies: [],
    optional: [...NATIVE, ...UNUSED],
    plugins: [leaveOutWsl],
  });
  const program = join(folder, 'bin/gatehouse.cjs');
  mkdirSync(join(folder, 'bin'));
  copyFileSync('tools/package/gatehouse/bin.cjs', program);
  chmodSync(program, 0o755);
  copyFileSync(`${SOURCE}/oclif.manifest.json`, join(folder, 'oclif.manifest.json'));
  writeManifest(folder, {
    name: 'gatehouse',
    description: 'Run MCP servers behind an HTTP proxy, and use and administer the Gatehouse platform.',
    bin: { gatehouse: 'bin/gatehouse.cjs' },
    optionalDependencies: pinDependencies(NATIVE),
    oclif: readJson(`${SOURCE}/package.json`).oclif,
  });
}
