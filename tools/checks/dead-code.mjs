// Usage: node tools/checks/dead-code.mjs
// Finds unused files, exports and dependencies with knip, and unused subpaths of libraries. The
// tsconfig of knip maps each subpath of the `exports` to its source file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { libraries } from './libraries.mjs';

const folder = resolve('node_modules/.cache/gatehouse');
const tsconfig = resolve(folder, 'tsconfig.knip.json');
const paths = Object.fromEntries(
  libraries().flatMap(({ name, folder, manifest }) =>
    Object.entries(manifest.exports).flatMap(([subpath, { 'gatehouse-source': source }]) =>
      // A subpath of a file that is not compiled has no source.
      source === undefined ? [] : [[`${name}${subpath.slice(1)}`, [resolve(folder, source)]]],
    ),
  ),
);
mkdirSync(folder, { recursive: true });
writeFileSync(tsconfig, JSON.stringify({ extends: resolve('tsconfig.base.json'), compilerOptions: { paths } }));

const checks = [
  [resolve('tools/checks/exports.mjs')],
  [resolve('node_modules/knip/bin/knip.js'), '--tsConfig', tsconfig, ...process.argv.slice(2)],
];
const statuses = checks.map((command) => spawnSync(process.execPath, command, { stdio: 'inherit' }).status);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
