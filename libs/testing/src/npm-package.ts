import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache.ts';
import { type Fixture, available, unavailable } from './fixture.ts';

const run = promisify(execFile);

/**
 * A published npm package with its own dependencies, outside those of the repository. It stays in
 * `.cache` of the repository.
 * @param version such as `22.19.0`
 * @param file a file of the package, such as its program
 * @returns the path of the file
 */
export async function npmPackage(name: string, version: string, file: string): Promise<Fixture<string>> {
  const folder = cacheFolder('npm', name);
  const path = join(folder, version, 'node_modules', name, file);
  if (!existsSync(path)) {
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
  return available(path);
}
