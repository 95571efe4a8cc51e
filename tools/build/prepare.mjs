// Runs after `npm ci`: builds every workspace, so that a fresh clone starts and tests without another command.
// Packaging steps that install without dev dependencies have no nx; there is nothing to build for them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('node_modules/.bin/nx')) {
  const { status } = spawnSync('node_modules/.bin/nx', ['run-many', '-t', 'build', '--output-style', 'static'], {
    stdio: 'inherit',
    env: { ...process.env, NX_TUI: 'false' },
  });
  process.exitCode = status ?? 1;
}
