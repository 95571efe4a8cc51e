import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE } from '../build/command-line.mjs';
import { pinDependencies, readJson, writeManifest } from './manifest.mjs';

const SOURCE = 'apps/cli';

/**
 * Fills the folder of the package `gatehouse`: the bundled commands, their list, and the program.
 * @param {string} folder
 */
export function fillCommandLine(folder) {
  cpSync(`${SOURCE}/dist/bundle`, join(folder, 'dist/bundle'), { recursive: true });
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
