import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Packages of the repository, installed by npm in a folder that has nothing else. */
export class InstalledPackages {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
  /** The tarballs by the name of their package. */
  readonly tarballs: Readonly<Record<string, string>>;

  /**
   * Packs the packages and installs them.
   * @param flags further flags of `npm install`
   */
  constructor(names: readonly string[], flags: readonly string[] = []) {
    const packer = resolve(ROOT, 'tools/package/pack.mjs');
    const printed = execFileSync(process.execPath, [packer, '--out', join(this.folder, 'tarballs'), ...names], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const files = printed.trim().split('\n');
    this.tarballs = Object.fromEntries(names.map((name, index) => [name, files[index] ?? '']));
    // The user of the database server must be able to enter the folder.
    chmodSync(this.folder, 0o755);
    writeFileSync(join(this.folder, 'package.json'), '{}');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...files, ...quiet, ...flags], { cwd: this.folder, stdio: 'pipe' });
  }

  /** The installed command line. */
  get program(): string {
    return join(this.folder, 'node_modules', '.bin', 'gatehouse');
  }

  /** The paths in a tarball, without the leading folder. */
  listFiles(name: string): string[] {
    const listing = execFileSync('tar', ['-tzf', this.tarballs[name] ?? ''], { encoding: 'utf8' });
    return listing
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
