import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import type { ConfigPlace, ConfigStore, StoredConfig } from '@gatehouse/signed-config/stored-config';

/**
 * Stores accepted configurations in a home: one file for each manager and user, readable by its
 * owner only.
 * @param damaged called with the path of an invalid file, which counts as absent
 */
export function configFiles(home: string, damaged: (file: string) => void): ConfigStore {
  const folder = join(home, 'configurations');
  const getFilePath = ({ manager, audience, issuer, subject }: ConfigPlace): string => {
    const name = createHash('sha256')
      .update(JSON.stringify([manager, audience, issuer, subject]))
      .digest('hex');
    return join(folder, `${name.slice(0, 16)}.json`);
  };
  return {
    read: (place) => {
      const text = readIfExists(getFilePath(place));
      const kept = text === undefined ? undefined : parseStoredConfig(text);
      if (text !== undefined && kept === undefined) damaged(getFilePath(place));
      return Promise.resolve(kept);
    },
    write: (place, kept) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(getFilePath(place), `${JSON.stringify(kept)}\n`);
      return Promise.resolve();
    },
  };
}

function parseStoredConfig(text: string): StoredConfig | undefined {
  try {
    const { envelope, http_etag, last_accepted, keys } = JSON.parse(text) as Partial<
      Record<keyof StoredConfig, unknown>
    >;
    const strings = typeof envelope === 'string' && typeof http_etag === 'string' && typeof last_accepted === 'string';
    return strings && !Number.isNaN(Date.parse(last_accepted))
      ? { envelope, http_etag, last_accepted, keys }
      : undefined;
  } catch {
    return undefined;
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
