// Runs after `npm ci`: builds every project, so that a fresh clone starts and tests without another
// command. Steps of packaging that install without development dependencies have no compiler; there
// is nothing to build for them.
import { existsSync } from 'node:fs';

if (existsSync('node_modules/@swc/core/package.json')) {
  process.stderr.write('Building Gatehouse …\n');
  await import('./build.mjs');
}
