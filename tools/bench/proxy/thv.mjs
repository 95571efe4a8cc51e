// Builds `thv` of ToolHive, another proxy for MCP servers, from its Go module into a cache folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = 'v0.46.0';
// Two required versions are not available; these are the nearest available ones.
const REPLACEMENTS = {
  'github.com/stacklok/toolhive-core': 'v0.0.43',
  'github.com/stacklok/toolhive-catalog': 'v0.20260908.0',
};

/** Builds a missing binary. @returns its path @throws {Error} without Go */
export function installThv(cacheFolder) {
  const folder = join(cacheFolder, `thv-${VERSION}`);
  const binary = join(folder, 'bin', 'thv');
  if (existsSync(binary)) return binary;
  console.error(`Building thv ${VERSION} into ${folder}; this takes some minutes, once.`);
  mkdirSync(folder, { recursive: true });
  const go = (...args) => execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  writeFileSync(join(folder, 'go.mod'), 'module bench\n');
  writeFileSync(
    join(folder, 'tools.go'),
    '//go:build tools\n\npackage tools\n\nimport _ "github.com/stacklok/toolhive/cmd/thv"\n',
  );
  const replaced = Object.entries(REPLACEMENTS).map(([module, version]) => `-replace=${module}=${module}@${version}`);
  go('mod', 'edit', `-require=github.com/stacklok/toolhive@${VERSION}`, ...replaced);
  go('mod', 'tidy', '-e');
  go('build', '-o', 'bin/', 'github.com/stacklok/toolhive/cmd/thv');
  return binary;
}
