import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CommandFailedError } from '../../errors/cli-error.ts';

const PACKAGE = 'gatehouse-platform';
const MAIN = 'apps/local-platform/dist/main.js';

/** Where the program of the platform can be. */
export interface InstalledCommandLine {
  /** Folder of the installed command line. */
  readonly root: string;
  readonly version: string;
  /** The repository that contains the command line; undefined for an installed package. */
  readonly repository: string | undefined;
}

/**
 * Finds the program of the local platform: that of the repository, or of the package
 * `gatehouse-platform`, beside the command line or in the global folder of npm.
 * @throws CliError that says how to install it
 */
export function findPlatformProgram({ root, version, repository }: InstalledCommandLine): string {
  if (repository !== undefined) return requireBuilt(join(repository, MAIN));
  const folder = [...listPackageFolders(root)].find((candidate) => existsSync(join(candidate, 'package.json')));
  const install = `npm install [--global] ./${PACKAGE}-${version}.tgz   beside the package gatehouse`;
  if (folder === undefined) {
    throw new CommandFailedError(`The platform is not installed: there is no package ${PACKAGE}`, [install]);
  }
  const installed = (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  if (installed !== version) {
    throw new CommandFailedError(
      `The package ${PACKAGE} in ${folder} has version ${installed}, and this command line has ${version}`,
      [install],
    );
  }
  return requireBuilt(join(folder, MAIN));
}

/** The folders that can have the package: those of module resolution, and the global one of npm. */
function* listPackageFolders(root: string): Generator<string> {
  const paths = createRequire(join(root, 'package.json')).resolve.paths(PACKAGE) ?? [];
  for (const path of paths) yield join(path, PACKAGE);
  const bin = dirname(process.execPath);
  yield join(...(process.platform === 'win32' ? [bin] : [dirname(bin), 'lib']), 'node_modules', PACKAGE);
}

function requireBuilt(program: string): string {
  if (existsSync(program)) return program;
  throw new CommandFailedError(`The platform is not complete: ${program} is missing`, [
    'npm run build   in the repository, or install the package again',
  ]);
}
