// Usage: node tools/checks/exports.mjs [--write]
// Checks that the `exports` of each library are exactly the imported subpaths. `--write` updates
// them; a new subpath points to the file of this name in src/.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { libraries } from './libraries.mjs';

const write = process.argv.includes('--write');
const used = importedSubpaths();
let problems = 0;

for (const { name, folder, manifest } of libraries()) {
  const subpaths = [...(used.get(name) ?? [])].sort();
  const entries = subpaths.map((subpath) => [`./${subpath}`, createTarget(folder, manifest, subpath)]);
  const expected = Object.fromEntries(entries);
  if (JSON.stringify(expected) === JSON.stringify(manifest.exports)) continue;
  if (write) {
    writeFileSync(`${folder}/package.json`, `${JSON.stringify({ ...manifest, exports: expected }, null, 2)}\n`);
    continue;
  }
  for (const key of new Set([...Object.keys(manifest.exports), ...Object.keys(expected)])) {
    if (key in expected && key in manifest.exports) continue;
    problems += 1;
    console.error(
      `${folder}/package.json: ${key} is ${key in expected ? 'imported but not listed' : 'listed but not imported'}`,
    );
  }
}
if (problems > 0) console.error('Run node tools/checks/exports.mjs --write to update the exports.');
process.exitCode = problems > 0 ? 1 : 0;

/** Returns the imported subpaths by package name. */
function importedSubpaths() {
  const found = new Map();
  const files = ['apps', 'libs', 'tools'].flatMap((top) =>
    ['ts', 'tsx', 'mjs', 'cjs'].map((end) => `${top}/**/*.${end}`),
  );
  const pattern = '[\'"]@gatehouse/[a-z-]+/[A-Za-z0-9/_.-]+[\'"]';
  const output = execFileSync(
    'git',
    ['grep', '-hoE', '--untracked', pattern, '--', ...files.map((glob) => `:(glob)${glob}`)],
    { encoding: 'utf8' },
  );
  for (const line of output.split('\n').filter(Boolean)) {
    const [, name, subpath] = /^.(@gatehouse\/[^/]+)\/(.+).$/.exec(line);
    found.set(name, (found.get(name) ?? new Set()).add(subpath));
  }
  return found;
}

function createTarget(folder, manifest, subpath) {
  const listed = manifest.exports[`./${subpath}`];
  if (listed !== undefined) return listed;
  if (!existsSync(`${folder}/src/${subpath}.ts`))
    throw new Error(`${folder}/src/${subpath}.ts is imported, but the file is missing`);
  return { 'gatehouse-source': `./src/${subpath}.ts`, default: `./dist/${subpath}.js` };
}
