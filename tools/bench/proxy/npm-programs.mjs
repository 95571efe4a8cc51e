import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs an npm package into the cache of the benchmarks (GATEHOUSE_BENCH_CACHE, by default
 * `~/.cache/gatehouse/bench`) if it is missing.
 * @param file a file in the package
 * @returns its path
 */
export function installPackage(name, version, file) {
  const cache = process.env.GATEHOUSE_BENCH_CACHE ?? join(homedir(), '.cache', 'gatehouse', 'bench');
  const folder = join(cache, `${name}-${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', `${name}@${version}`, '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  if (!existsSync(path)) throw new Error(`${name}@${version} has no ${file}`);
  return path;
}
