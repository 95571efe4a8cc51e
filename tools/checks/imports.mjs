// npm run check:imports Holds the import rules on the whole repository, then proves each rule
// alive: its fixture must be refused, by that rule's name.
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
  const house = cruise(config, ['apps', 'libs', 'tools'], '.');
  if (house.status !== 0) {
    failed = true;
    console.error(house.stdout + house.stderr);
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

console.error(failed ? 'import rules: broken' : `import rules: ${rules} hold, each refuses its fixture`);
process.exitCode = failed ? 1 : 0;
