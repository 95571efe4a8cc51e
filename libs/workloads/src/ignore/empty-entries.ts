import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeclaredMount } from '../mounts/mount.ts';
import type { Overlay } from './overlays.ts';

/** An empty file and an empty folder of the home. */
interface EmptyEntries {
  readonly file: string;
  readonly folder: string;
}

/** Makes sure that the empty file and the empty folder of a home exist and are empty. */
function prepareEmptyEntries(gatehouseHome: string): EmptyEntries {
  const parent = join(gatehouseHome, 'overlays');
  const [file, folder] = [join(parent, 'file'), join(parent, 'folder')];
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > 0) {
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, '');
    chmodSync(file, 0o444);
  }
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true || readdirSync(folder).length > 0) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    chmodSync(folder, 0o555);
  }
  return { file, folder };
}

/**
 * Returns the mounts of overlays: read-only binds of an empty file and of an empty folder. A tmpfs
 * would be no safer, and Podman copies the covered folder into it.
 */
export function createOverlayMounts(overlays: readonly Overlay[], gatehouseHome: string): DeclaredMount[] {
  if (overlays.length === 0) return [];
  const empty = prepareEmptyEntries(gatehouseHome);
  return overlays.map(({ path, kind, file }) => ({ source: empty[kind], target: path, readOnly: true, origin: file }));
}
