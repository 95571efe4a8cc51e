// node tools/build/fresh.mjs [project]
// Builds what changed since the last build, of one project with its dependencies or of all, before something is started. Says nothing when nothing
// went wrong: nx would list every project, and in a terminal keep its summary on the screen for some seconds before it lets the start go on.
import { spawnSync } from 'node:child_process';

const [project] = process.argv.slice(2);
const what = project === undefined ? ['run-many', '-t', 'build'] : ['run', `${project}:build`];
const { status, error, stdout, stderr } = spawnSync('nx', [...what, '--output-style=static'], {
  env: { ...process.env, NX_TUI: 'false' },
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) {
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `nx could not be run: ${error.message}\n` : ''}`);
  process.exitCode = status ?? 1;
}
