import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/config.ts';

/**
 * Adds a key-encryption key to the settings of a service with an embedded Postgres and without
 * configured keys: the one of the file `connector-gateway/key-encryption-keys` in GATEHOUSE_HOME,
 * which the first start creates. Other settings stay as they are.
 * @throws KeyRingError for a damaged file
 */
export function addEmbeddedKey(settings: Settings): Settings {
  const { DATABASE_URL, KEY_ENCRYPTION_KEYS, KEY_ENCRYPTION_KEYS_DIR, GATEHOUSE_HOME } = settings;
  if (DATABASE_URL !== undefined || KEY_ENCRYPTION_KEYS !== undefined || KEY_ENCRYPTION_KEYS_DIR !== undefined)
    return settings;
  const folder = join(GATEHOUSE_HOME, 'connector-gateway');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = join(folder, 'key-encryption-keys');
  if (!existsSync(file)) createFile(file, `1:${randomBytes(32).toString('base64')}\n`);
  return { ...settings, KEY_ENCRYPTION_KEYS: parseKeyRing(readFileSync(file, 'utf8')) };
}

/** Creates a private file with its whole content, unless another process did so first. */
function createFile(file: string, content: string): void {
  const temporary = `${file}.${randomUUID()}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    rmSync(temporary);
  }
}
