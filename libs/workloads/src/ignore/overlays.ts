import { isAbsolute, posix, relative, sep } from 'node:path';
import { statSync } from 'node:fs';
import { flagError } from '../errors/workload-error.ts';
import type { DeclaredMount } from '../mounts/mount.ts';
import { findHiddenPaths, type HiddenPath } from './hidden-paths.ts';
import { IgnoreFileError } from './ignore-rules.ts';
import { readIgnoreFile } from './read-ignore-file.ts';

/** An empty mount over a path of a container that its server must not see. */
export interface Overlay {
  /** The container path of the mount that contains the hidden path. */
  readonly mount: string;
  /** The hidden container path. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** The pattern that hides it; for an ignore file its own name. */
  readonly rule: string;
  /** The ignore file with the pattern, and its line; 0 for an ignore file itself. */
  readonly file: string;
  readonly line: number;
}

/** The engine and the kernel handle this number of mounts without a noticeable delay. */
const MAX_OVERLAYS = 500;

/**
 * Finds the overlays for the mounts of a container. A host path that is hidden in one mount is
 * hidden in every mount that contains it. A path that is itself mounted was chosen by the user and
 * stays.
 * @param mounts with resolved host paths
 * @param globalFile the ignore file of the user; undefined: without its rules
 * @throws WorkloadError (usage) that names the ignore file
 */
export async function resolveOverlays(
  mounts: readonly DeclaredMount[],
  globalFile: string | undefined,
): Promise<Overlay[]> {
  const folders = mounts.filter(({ source }) => statSync(source, { throwIfNoEntry: false })?.isDirectory() === true);
  const hidden = new Map<string, HiddenPath>();
  for (const mount of folders)
    for (const found of await findInMount(mount, folders, globalFile)) hidden.set(found.path, found);
  const overlays = folders
    .flatMap((mount) => [...hidden.values()].flatMap((found) => createOverlay(found, mount, mounts)))
    .filter((overlay, _, all) => !all.some((outer) => outer.kind === 'folder' && isWithin(overlay.path, outer.path)));
  if (overlays.length > MAX_OVERLAYS) throw createLimitError(overlays);
  return overlays.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function findInMount(
  mount: DeclaredMount,
  mounts: readonly DeclaredMount[],
  globalFile: string | undefined,
): Promise<HiddenPath[]> {
  const writable = mounts.some(
    ({ source, readOnly }) =>
      !readOnly && (source === mount.source || isWithin(source, mount.source) || isWithin(mount.source, source)),
  );
  try {
    const global = globalFile === undefined ? undefined : readIgnoreFile(globalFile, { followLinks: true });
    return await findHiddenPaths(mount.source, { global, writable });
  } catch (error) {
    if (!(error instanceof IgnoreFileError)) throw error;
    throw flagError(
      `${mount.origin}:`,
      error.message,
      'mend the ignore file; without it the server would see too much',
    );
  }
}

function createOverlay(
  { path, isFolder, rule }: HiddenPath,
  mount: DeclaredMount,
  mounts: readonly DeclaredMount[],
): Overlay[] {
  if (!isWithin(path, mount.source)) return [];
  const target = posix.join(mount.target, relative(mount.source, path).split(sep).join('/'));
  const deepest = mounts
    .filter((one) => target === one.target || isWithin(target, one.target))
    .reduce((a, b) => (b.target.length > a.target.length ? b : a), mount);
  if (deepest !== mount) return [];
  const { pattern, file, line } = rule;
  return [{ mount: mount.target, path: target, kind: isFolder ? 'folder' : 'file', rule: pattern, file, line }];
}

function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== '' && between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

function createLimitError(overlays: readonly Overlay[]) {
  const counts = new Map<string, number>();
  for (const { rule, file, line } of overlays) {
    const key = `${rule} (${file}, line ${line})`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [[rule, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return flagError(
    'The ignore files',
    `hide ${overlays.length} paths, more than the maximum of ${MAX_OVERLAYS}; ${count} are those of the pattern ${rule}`,
    'hide whole folders, such as node_modules/, instead of each file',
  );
}
