import type { McpClient, ServerEntry } from '../clients/mcp-client.ts';
import type { ConfigFormat } from '../formats/config-format.ts';
import { findEntry, isEqual, putEntry, removeEntry, type Scaffold } from '../formats/edit-entry.ts';
import type { FileRecord } from './written-entries.ts';

/** The action of an edit, as {@link EntryChange} reports it. */
export type EditAction = 'added' | 'updated' | 'removed' | 'foreign' | 'edited';

/** The edit of the text of one file. */
export interface EntryEdit {
  /** The new text; undefined: no file. */
  readonly text: string | undefined;
  /** Undefined when there is nothing to report. */
  readonly action?: EditAction;
  /** Whether the entry in the file is not one of Gatehouse. */
  readonly isForeign?: boolean;
  readonly scaffold?: Scaffold;
  readonly isCreated?: boolean;
}

/** The client and the format of its file. */
interface EditedFile {
  readonly client: McpClient;
  readonly format: ConfigFormat;
  /** Undefined: no file. */
  readonly text: string | undefined;
}

/**
 * Adds or updates an entry. An entry of another program stays as it is. Of an own entry that was
 * edited, only the URL changes.
 * @param own the entry as Gatehouse wrote it before
 * @throws ConfigTextError
 */
export function createPutEdit(
  { client, format, text }: EditedFile,
  name: string,
  entry: ServerEntry,
  own: ServerEntry | undefined,
): EntryEdit {
  const current = text === undefined ? undefined : findEntry(format, text, client, name);
  if (isEqual(current, entry)) return { text, isForeign: own === undefined };
  if (current !== undefined && own === undefined) return { text, isForeign: true, action: 'foreign' };
  const isEdited = typeof current === 'object' && current !== null && !isEqual(current, own);
  const value = isEdited ? { ...current, [client.urlField]: entry[client.urlField] } : entry;
  return {
    ...putEntry(format, text ?? '', client, name, value),
    action: current === undefined ? 'added' : 'updated',
    isCreated: text === undefined,
  };
}

/**
 * Removes an own entry, unless it was edited. After the last own entry, the file is as it was
 * before the first one.
 * @throws ConfigTextError
 */
export function createRemoveEdit({ client, format, text }: EditedFile, name: string, record: FileRecord): EntryEdit {
  const own = record.entries[name];
  if (text === undefined || own === undefined || own.status === 'foreign') return { text };
  const current = findEntry(format, text, client, name);
  if (current === undefined) return { text };
  if (!isEqual(current, own.entry)) return { text, action: 'edited' };
  const isLast = !Object.entries(record.entries).some(([other, { status }]) => other !== name && status !== 'foreign');
  const rest = removeEntry(format, text, client, name, isLast ? record.scaffold : {});
  const isEmpty = isLast && record.isCreated && rest === record.scaffold.document;
  return { text: isEmpty ? undefined : rest, action: 'removed' };
}
