import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WorkloadError } from '../errors/workload-error.ts';

/** The source of a Go package on this machine. */
export interface LocalSource {
  /** The folder of the module, absolute: the context of the build. */
  readonly folder: string;
  /** The package within the module, such as `./cmd/server`. */
  readonly target: string;
  /** Of all names and contents. */
  readonly hash: string;
}

/** Folders that no build needs. */
const IGNORED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const MAX_FILES = 20_000;
const MAX_BYTES = 500 * 1024 * 1024;

/**
 * Reads the source of a Go package in a folder. Its module is the nearest folder above with a
 * go.mod, so that a package within a module is built with it.
 * @param absolute path of the folder
 * @throws WorkloadError (usage) for a folder without a module, and for one that is too large
 */
export async function readLocalSource(absolute: string): Promise<LocalSource> {
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) throw new WorkloadError('usage', `go://${absolute} does not exist`);
  if (!found.isDirectory()) throw new WorkloadError('usage', `go://${absolute} is not a folder`);
  const module = findModule(absolute);
  if (module === undefined)
    throw new WorkloadError('usage', `go://${absolute} belongs to no Go module: there is no go.mod in it or above`, [
      `(cd ${absolute} && go mod init example.com/server)`,
    ]);
  const target = relative(module, absolute);
  return { folder: module, target: target === '' ? '.' : `./${target}`, hash: await hashFolder(module) };
}

function findModule(folder: string): string | undefined {
  if (existsSync(join(folder, 'go.mod'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findModule(parent);
}

async function hashFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, isExecutable, link } of listSourceFiles(folder)) {
    hash.update(`\0${path}\0${isExecutable}\0${link ?? ''}\0`);
    if (link === undefined) await pipeline(createReadStream(join(folder, path)), hash, { end: false });
  }
  return hash.digest('hex');
}

/** A file or a symbolic link of a source. */
interface SourceFile {
  /** Relative to the folder of the module. */
  readonly path: string;
  readonly isExecutable: boolean;
  /** The target of a symbolic link; undefined for a file. */
  readonly link: string | undefined;
}

/**
 * Lists the files of a source in a fixed order, without folders that no build needs.
 * @throws WorkloadError (usage) for a source that is too large
 */
export function* listSourceFiles(folder: string): Generator<SourceFile> {
  let files = 0;
  let bytes = 0;
  for (const path of listPaths(folder, '')) {
    const facts = lstatSync(join(folder, path));
    if (!facts.isFile() && !facts.isSymbolicLink()) continue;
    files += 1;
    bytes += facts.size;
    if (files > MAX_FILES || bytes > MAX_BYTES)
      throw new WorkloadError('usage', `${folder} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 2} MiB`, [
        'give the folder of the server alone',
      ]);
    const link = facts.isSymbolicLink() ? readlinkSync(join(folder, path)) : undefined;
    yield { path, isExecutable: (facts.mode & 0o111) !== 0, link };
  }
}

function* listPaths(root: string, below: string): Generator<string> {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).filter(({ name }) => !IGNORED.has(name));
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) yield* listPaths(root, path);
    else yield path;
  }
}
