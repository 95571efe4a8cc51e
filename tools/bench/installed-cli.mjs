import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Packs the command line and installs it in a temporary folder, as users have it.
 * @returns its program, a home, the environment of its commands, and a function that removes both
 */
export function installCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const packed = execFileSync(process.execPath, ['tools/package/pack.mjs', '--out', folder, 'gatehouse'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  writeFileSync(join(folder, 'package.json'), '{}');
  const flags = ['--omit=optional', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', packed.trim(), ...flags], { cwd: folder, stdio: 'ignore' });
  const home = join(folder, 'home');
  return {
    program: join(folder, 'node_modules/gatehouse/bin/gatehouse.cjs'),
    home,
    env: { ...process.env, GATEHOUSE_HOME: home, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
