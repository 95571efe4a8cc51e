// Usage: npm run check:imports
// Checks the import rules in the whole repository, then checks that each rule refuses its fixture.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const configs = ['dependency-cruiser.cjs', 'folder-rules.cjs'].map((name) => resolve('tools/checks', name));
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const read = createRequire(import.meta.url);

const cruise = (config, folders, cwd) =>
  spawnSync(process.execPath, [cruiser, '--config', config, '--output-type', 'err', ...folders], {
    cwd,
    encoding: 'utf8',
  });

let failed = false;
let rules = 0;
for (const config of configs) {
  const repository = cruise(config, ['apps', 'libs', 'tools'], '.');
  if (repository.status !== 0) {
    failed = true;
    console.error(repository.stdout + repository.stderr);
  }
  for (const { name } of read(config).forbidden) {
    rules += 1;
    const fixture = resolve('tools/checks/fixtures', name);
    const folders = ['apps', 'libs'].filter((folder) => existsSync(resolve(fixture, folder)));
    const result =
      folders.length > 0 ? cruise(config, folders, fixture) : { status: 0, stdout: 'the fixture is missing' };
    if (result.status !== 0 && result.stdout.includes(` ${name}:`)) continue;
    failed = true;
    console.error(`the rule ${name} did not refuse its fixture ${fixture}\n${result.stdout}`);
  }
}

console.error(failed ? 'import rules: failed' : `import rules: ${rules} passed, each refuses its fixture`);
process.exitCode = failed ? 1 : 0;
