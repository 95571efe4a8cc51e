import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that belongs to another user, so that nothing private can be stored there. */
export class ForeignFolderError extends GatehouseError {
  override readonly code = 'foreign_folder';
}

/**
 * Creates a folder that only its owner can read, or takes the rights of other users away.
 * @throws ForeignFolderError when the folder belongs to another user
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    // A restored backup or a copy can have wider permissions than the original.
    chmodSync(folder, 0o700);
  } catch (cause) {
    throw new ForeignFolderError(`${folder} belongs to another user`, { cause, expose: true });
  }
}

/**
 * Removes the temporary files of killed writers (`replaceFile`). The caller holds the lock of all
 * writers in this folder.
 */
export function removeTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^\.[0-9a-f]{12}\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}
