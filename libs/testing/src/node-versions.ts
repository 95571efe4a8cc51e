import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache.ts';
import { type Fixture, available, unavailable } from './fixture.ts';

const run = promisify(execFile);

/**
 * The program of a Node version, from the npm registry. It stays in `.cache` of the repository.
 * @param version such as `22.19.0`
 */
export async function nodeVersion(version: string): Promise<Fixture<string>> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = cacheFolder('node');
  const program = join(folder, version, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) {
    const fresh = mkdtempSync(join(folder, '.tmp-'));
    try {
      writeFileSync(join(fresh, 'package.json'), '{}');
      const args = ['install', `${name}@${version}`, '--no-audit', '--no-fund', '--fetch-retries', '0'];
      await run('npm', args, { cwd: fresh });
      if (!existsSync(join(folder, version))) renameSync(fresh, join(folder, version));
    } catch (error) {
      const reason = String((error as { stderr?: unknown }).stderr ?? error).split('\n')[0] ?? '';
      return unavailable(`npm cannot install ${name}@${version}: ${reason}`);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return available(program);
}
