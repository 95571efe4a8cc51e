// npm run check:imports
// Holds the import rules on the whole repository, then proves each rule alive: its fixture must be refused, by that rule's name.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const config = resolve('tools/checks/dependency-cruiser.cjs');
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const { forbidden } = createRequire(import.meta.url)(config);

const cruise = (folders, cwd) =>
  spawnSync(process.execPath, [cruiser, '--config', config, '--output-type', 'err', ...folders], {
    cwd,
    encoding: 'utf8',
  });

let failed = false;
const house = cruise(['apps', 'libs', 'tools', '--exclude', '(^|/)(dist|dist-test|fixtures)/'], '.');
if (house.status !== 0) {
  failed = true;
  console.error(house.stdout + house.stderr);
}

for (const { name } of forbidden) {
  const fixture = resolve('tools/checks/fixtures', name);
  const folders = ['apps', 'libs'].filter((folder) => existsSync(resolve(fixture, folder)));
  const result = folders.length > 0 ? cruise(folders, fixture) : { status: 0, stdout: 'the fixture is missing' };
  if (result.status !== 0 && result.stdout.includes(` ${name}:`)) continue;
  failed = true;
  console.error(`the rule ${name} did not refuse its fixture ${fixture}\n${result.stdout}`);
}

console.error(failed ? 'import rules: broken' : `import rules: ${forbidden.length} hold, each refuses its fixture`);
process.exitCode = failed ? 1 : 0;
