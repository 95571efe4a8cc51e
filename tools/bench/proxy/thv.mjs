// Gets ToolHive's `thv`, the proxy that people would otherwise use, from its Go module: built once
// into a cache folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = 'v0.46.0';
// Two of its requirements name versions that cannot be fetched; these are the nearest that can.
const REPLACED = {
  'github.com/stacklok/toolhive-core': 'v0.0.43',
  'github.com/stacklok/toolhive-catalog': 'v0.20260908.0',
};

/** The path of the binary; installs it first when it is missing. Throws when Go is not there. */
export function installThv(cacheFolder) {
  const folder = join(cacheFolder, `thv-${VERSION}`);
  const binary = join(folder, 'bin', 'thv');
  if (existsSync(binary)) return binary;
  console.error(`Building thv ${VERSION} into ${folder}; this happens once and takes some minutes.`);
  mkdirSync(folder, { recursive: true });
  const go = (...args) => execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  writeFileSync(join(folder, 'go.mod'), 'module bench\n');
  writeFileSync(
    join(folder, 'tools.go'),
    '//go:build tools\n\npackage tools\n\nimport _ "github.com/stacklok/toolhive/cmd/thv"\n',
  );
  const replaced = Object.entries(REPLACED).map(([module, version]) => `-replace=${module}=${module}@${version}`);
  go('mod', 'edit', `-require=github.com/stacklok/toolhive@${VERSION}`, ...replaced);
  go('mod', 'tidy', '-e');
  go('build', '-o', 'bin/', 'github.com/stacklok/toolhive/cmd/thv');
  return binary;
}
