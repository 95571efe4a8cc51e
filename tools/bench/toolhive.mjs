// Builds programs of ToolHive, another proxy for MCP servers, from its Go module into a cache.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v0.46.0';
const MODULE = 'github.com/stacklok/toolhive';
/** `thv` is its proxy for one server, `vmcp` its gateway for several. */
const PROGRAMS = ['thv', 'vmcp'];
// Two required versions are not available; these are the nearest available ones.
const REPLACEMENTS = {
  'github.com/stacklok/toolhive-core': 'v0.0.43',
  'github.com/stacklok/toolhive-catalog': 'v0.20260908.0',
};
/** Environment of its programs: nothing is sent to the vendor. */
export const TOOLHIVE_ENV = { TOOLHIVE_SKIP_UPDATE_CHECK: 'true', TOOLHIVE_USAGE_METRICS_ENABLED: 'false' };

/**
 * Builds a missing program, `thv` or `vmcp`. The folder is GATEHOUSE_BENCH_CACHE, by default
 * `~/.cache/gatehouse/bench`.
 * @returns its path
 * @throws {Error} without Go or its modules
 */
export function installToolhive(program) {
  const cache = process.env.GATEHOUSE_BENCH_CACHE ?? join(homedir(), '.cache', 'gatehouse', 'bench');
  const folder = join(cache, `toolhive-${VERSION}`);
  const binary = join(folder, 'bin', program);
  if (existsSync(binary)) return binary;
  console.error(`Building ${program} ${VERSION} into ${folder}; this takes some minutes, once.`);
  mkdirSync(folder, { recursive: true });
  const go = (...args) => execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  if (!existsSync(join(folder, 'go.mod'))) go('mod', 'init', 'bench');
  const imports = PROGRAMS.map((name) => `\t_ "${MODULE}/cmd/${name}"\n`).join('');
  writeFileSync(join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport (\n${imports})\n`);
  const replaced = Object.entries(REPLACEMENTS).map(([module, version]) => `-replace=${module}=${module}@${version}`);
  go('mod', 'edit', `-require=${MODULE}@${VERSION}`, ...replaced);
  go('mod', 'tidy', '-e');
  go('build', '-o', 'bin/', `${MODULE}/cmd/${program}`);
  return binary;
}
