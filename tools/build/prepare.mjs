// Runs after `npm ci`: builds every project, so that a new clone can start and test. An install
// without development dependencies has no compiler and skips the build.
import { existsSync } from 'node:fs';

if (existsSync('node_modules/@swc/core/package.json')) {
  process.stderr.write('Building Gatehouse …\n');
  await import('./build.mjs');
}
