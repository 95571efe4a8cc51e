// Usage: node tools/package/pack.mjs [--out FOLDER] [gatehouse | gatehouse-platform …]
// Packs the command line and the platform as npm packages into FOLDER (default: dist/packages). The
// projects must be built: `npm run package` builds them first. Prints the path of each tarball.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { requireNode } from '../build/node-version.mjs';

requireNode();
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const out = resolve(values.out ?? fileURLToPath(new URL('../../dist/packages', import.meta.url)));
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const packages = {
  gatehouse: async (folder) => (await import('./command-line.mjs')).fillCommandLine(folder),
  'gatehouse-platform': async (folder) => (await import('./platform.mjs')).fillPlatform(folder),
};

const names = positionals.length > 0 ? positionals : Object.keys(packages);
const unknown = names.find((name) => !Object.hasOwn(packages, name));
if (unknown !== undefined) {
  process.stderr.write(`There is no package ${unknown}. Try: ${Object.keys(packages).join(', ')}\n`);
  process.exit(2);
}
mkdirSync(out, { recursive: true });
for (const name of names) {
  const folder = join(out, `.tmp-${process.pid}-${name}`);
  try {
    await packages[name](folder);
    const args = ['pack', folder, '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename, size }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }));
    renameSync(join(folder, filename), join(out, filename));
    process.stderr.write(`${name}: ${(size / 1024 / 1024).toFixed(1)} MB\n`);
    process.stdout.write(`${join(out, filename)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
