import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import type { ServerEntry } from '../clients/mcp-client.ts';
import { ClientFileError } from '../files/client-file-error.ts';
import type { Scaffold } from '../formats/edit-entry.ts';

/** The record of one entry that Gatehouse wrote into a configuration file. */
export interface EntryRecord {
  /** The entry as Gatehouse writes it. */
  readonly entry: ServerEntry;
  /**
   * - `written`: Gatehouse has written it.
   * - `writing`: Gatehouse was about to write it; a crash leaves this status.
   * - `foreign`: the file has an entry of the same name that Gatehouse did not write.
   */
  readonly status: 'written' | 'writing' | 'foreign';
}

/** The record of one configuration file. */
export interface FileRecord {
  /** The id of the client. */
  readonly client: string;
  readonly scaffold: Scaffold;
  /** Whether Gatehouse has created the file. */
  readonly isCreated: boolean;
  /** By name of the workload. */
  readonly entries: Readonly<Record<string, EntryRecord>>;
}

/** The records of all files by path. */
export type WrittenEntries = Readonly<Record<string, FileRecord>>;

/**
 * Reads the records of a home; a missing file has none.
 * @throws ClientFileError for a damaged file
 */
export function readWrittenEntries(path: string): WrittenEntries {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    const { files } = JSON.parse(text) as { files: WrittenEntries };
    for (const { client, scaffold, entries } of Object.values(files)) {
      const isValid = typeof client === 'string' && typeof scaffold === 'object' && typeof entries === 'object';
      if (!isValid || !Object.values(entries).every(({ entry }) => typeof entry === 'object')) throw new Error(text);
    }
    return files;
  } catch (error) {
    throw new ClientFileError(
      `${path} is damaged, so it is unknown which entries of MCP clients belong to Gatehouse; remove the file, and the entries by hand`,
      error,
    );
  }
}

/** Replaces the records of a home. */
export function storeWrittenEntries(path: string, files: WrittenEntries): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, `${JSON.stringify({ files }, null, 2)}\n`);
}
