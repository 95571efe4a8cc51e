import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IgnoreFileError, type IgnoreRule, type IgnoreRules } from './ignore-rules.ts';
import { readIgnoreFile } from './read-ignore-file.ts';

/** The names of ignore files in mounted folders. The second one is that of ToolHive. */
const FILE_NAMES = ['.gatehouseignore', '.thvignore'];
const MAX_ENTRIES = 1_000_000;
const CONCURRENT_FOLDERS = 16;

/** A path of a mounted folder that a server does not see. */
export interface HiddenPath {
  /** The resolved host path. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly rule: IgnoreRule;
}

/** The rules of one ignore file, and the folder they refer to, relative to the mounted one. */
interface ScopedRules {
  readonly rules: IgnoreRules;
  readonly base: string;
}

interface Folder {
  /** Relative to the mounted folder; empty for itself. */
  readonly path: string;
  readonly scopes: readonly ScopedRules[];
}

/**
 * Finds the paths of a mounted folder that ignore files hide. A hidden folder is one path; the
 * search does not enter it, and follows no symbolic link.
 *
 * Ignore files of deeper folders win over those of outer ones, as in git. A server that can write
 * to the folder could create an ignore file itself. So in a writable folder a rule with `!` shows
 * only what the same file hides, and the ignore files themselves are hidden.
 * @throws IgnoreFileError for an ignore file or a folder that cannot be read, and for too many
 * entries
 */
export async function findHiddenPaths(
  root: string,
  { global, writable }: { readonly global: IgnoreRules | undefined; readonly writable: boolean },
): Promise<HiddenPath[]> {
  const found: HiddenPath[] = [];
  let entryCount = 0;
  let level: Folder[] = [{ path: '', scopes: global === undefined ? [] : [{ rules: global, base: '' }] }];
  const visit = async (folder: Folder): Promise<Folder[]> => {
    const entries = await listEntries(root, folder);
    entryCount += entries.length;
    if (entryCount > MAX_ENTRIES)
      throw new IgnoreFileError(`${root} has more than ${MAX_ENTRIES} files, too many to look for ignore files`);
    const scopes = [...folder.scopes, ...readRules(root, folder, entries)];
    const inner: Folder[] = [];
    for (const entry of entries) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const rule = isIgnoreFile(entry)
        ? writable && { pattern: entry.name, file: join(root, path), line: 0 }
        : findRule(scopes, path, entry.isDirectory(), writable);
      if (rule) found.push(...(await hide(root, path, entry, rule)));
      else if (entry.isDirectory()) inner.push({ path, scopes });
    }
    return inner;
  };
  while (level.length > 0) {
    const next: Folder[] = [];
    for (let at = 0; at < level.length; at += CONCURRENT_FOLDERS)
      next.push(...(await Promise.all(level.slice(at, at + CONCURRENT_FOLDERS).map(visit))).flat());
    level = next;
  }
  return found;
}

/** A folder that another program has removed meanwhile is empty. */
async function listEntries(root: string, { path, scopes }: Folder): Promise<Dirent[]> {
  const folder = join(root, path);
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    if (code === 'EACCES' && scopes.length === 0) return [];
    throw new IgnoreFileError(`the folder ${folder} cannot be read, so that no ignore file can apply to it`, {
      cause: error,
    });
  }
}

const isIgnoreFile = (entry: Dirent): boolean => FILE_NAMES.includes(entry.name) && !entry.isDirectory();

function readRules(root: string, { path }: Folder, entries: readonly Dirent[]): ScopedRules[] {
  return FILE_NAMES.toReversed().flatMap((name) => {
    if (!entries.some((entry) => entry.name === name)) return [];
    const rules = readIgnoreFile(join(root, path, name), { followLinks: false });
    return rules === undefined ? [] : [{ rules, base: path }];
  });
}

function findRule(
  scopes: readonly ScopedRules[],
  path: string,
  isFolder: boolean,
  writable: boolean,
): IgnoreRule | undefined {
  for (const { rules, base } of scopes.toReversed()) {
    const decision = rules.decide(base === '' ? path : path.slice(base.length + 1), isFolder);
    if (decision === 'shown' && !writable) return undefined;
    if (decision !== undefined && decision !== 'shown') return decision;
  }
  return undefined;
}

/** A hidden symbolic link hides the content that it points to. A broken one has none. */
async function hide(root: string, path: string, entry: Dirent, rule: IgnoreRule): Promise<HiddenPath[]> {
  const absolute = join(root, path);
  if (entry.name.includes('\uFFFD'))
    throw new IgnoreFileError(`${absolute} cannot be hidden, because its name is not UTF-8 (${describeRule(rule)})`);
  if (!entry.isSymbolicLink()) return [{ path: absolute, isFolder: entry.isDirectory(), rule }];
  try {
    const target = await realpath(absolute);
    return [{ path: target, isFolder: (await stat(target)).isDirectory(), rule }];
  } catch {
    return [];
  }
}

const describeRule = ({ pattern, file, line }: IgnoreRule): string => `${pattern}, ${file} line ${line}`;
