import { join } from 'node:path';
import { makePrivateFolder } from '@gatehouse/local-files/private-folder';
import { withProcessLock } from '@gatehouse/local-files/process-lock';
import { getClientFile, type Machine } from '../clients/client-paths.ts';
import { MCP_CLIENTS } from '../clients/client-table.ts';
import { createEntry, type McpClient, type ServerEntry } from '../clients/mcp-client.ts';
import { changeConfigFile } from '../files/config-file.ts';
import { ClientFileError } from '../files/client-file-error.ts';
import { isEqual, loadFormat } from '../formats/edit-entry.ts';
import { createPutEdit, createRemoveEdit, type EditAction, type EntryEdit } from './entry-edits.ts';
import {
  readWrittenEntries,
  storeWrittenEntries,
  type EntryRecord,
  type FileRecord,
  type WrittenEntries,
} from './written-entries.ts';

/** An entry that a client should have. */
export interface WantedEntry {
  readonly client: McpClient;
  /** The name of the workload. */
  readonly name: string;
  readonly url: string;
}

/** The result for one entry. */
export interface EntryChange {
  /** The id of the client. */
  readonly client: string;
  /** The name of the workload. */
  readonly name: string;
  readonly file: string;
  /**
   * - `foreign`: an entry of this name that Gatehouse did not write stays as it is.
   * - `edited`: the entry was edited by another program, so its removal leaves it.
   * - `failed`: `reason` is the sentence.
   */
  readonly action: EditAction | 'failed';
  readonly reason?: string;
}

/** The folders of {@link ClientConfigurations}. */
export interface ClientConfigurationParts {
  /** The home with the records of written entries. */
  readonly home: string;
  /** The folder with the lock of all homes of the user. */
  readonly lockFolder: string;
  readonly machine: Machine;
}

/** Selects workloads by name. */
type Scope = (name: string) => boolean;

/** The entries of one file that change. */
interface FileWork {
  readonly client: McpClient;
  readonly put: { readonly name: string; readonly entry: ServerEntry }[];
  readonly remove: string[];
}

/** Keeps the entries of workloads in the configuration files of MCP clients. */
export class ClientConfigurations {
  constructor(private readonly parts: ClientConfigurationParts) {}

  /** Returns the entries of this home by file. @throws ClientFileError */
  list(): WrittenEntries {
    return readWrittenEntries(this.path);
  }

  /**
   * Adds wanted entries that are missing, and removes all others that Gatehouse wrote. Opens no
   * file of a client when the records show that nothing changes.
   * @param isInScope selects the workloads whose entries may change
   */
  async sync(wanted: readonly WantedEntry[], isInScope: Scope): Promise<EntryChange[]> {
    if (this.plan(wanted, isInScope).size === 0) return [];
    makePrivateFolder(this.parts.lockFolder);
    return withProcessLock(join(this.parts.lockFolder, 'client-files.lock'), async () => {
      const changes: EntryChange[] = [];
      for (const [file, work] of this.plan(wanted, isInScope)) changes.push(...(await this.changeFile(file, work)));
      return changes;
    });
  }

  private get path(): string {
    return join(this.parts.home, 'client-entries.json');
  }

  /** Compares the wanted entries with the records. @returns the work for each file that changes */
  private plan(wanted: readonly WantedEntry[], isInScope: Scope): Map<string, FileWork> {
    const records = this.list();
    const works = new Map<string, FileWork>();
    const getWork = (file: string, client: McpClient) => {
      const work = works.get(file) ?? { client, put: [], remove: [] };
      works.set(file, work);
      return work;
    };
    const kept = new Set<string>();
    for (const { client, name, url } of wanted) {
      if (!isInScope(name)) continue;
      const file = getClientFile(client, this.parts.machine);
      kept.add(`${file}\n${name}`);
      const entry = createEntry(client, name, url);
      const record = records[file]?.entries[name];
      const isDone = record !== undefined && record.status !== 'writing' && isEqual(record.entry, entry);
      if (!isDone) getWork(file, client).put.push({ name, entry });
    }
    for (const [file, record] of Object.entries(records)) {
      const client = MCP_CLIENTS.find(({ id }) => id === record.client);
      if (client === undefined) continue;
      for (const name of Object.keys(record.entries))
        if (isInScope(name) && !kept.has(`${file}\n${name}`)) getWork(file, client).remove.push(name);
    }
    return works;
  }

  private async changeFile(file: string, { client, put, remove }: FileWork): Promise<EntryChange[]> {
    const format = await loadFormat(client.format);
    const changes: EntryChange[] = [];
    const report = (name: string, work: () => EditAction | undefined) => {
      try {
        const action = work();
        if (action !== undefined) changes.push({ client: client.id, name, file, action });
      } catch (error) {
        if (!(error instanceof ClientFileError)) throw error;
        changes.push({ client: client.id, name, file, action: 'failed', reason: error.message });
      }
    };
    for (const name of remove) {
      report(name, () => {
        const record = this.list()[file];
        if (record === undefined) return undefined;
        const edit = applyEdit(file, (text) => createRemoveEdit({ client, format, text }, name, record));
        this.record(file, client, name, undefined);
        return edit.action;
      });
    }
    for (const { name, entry } of put) {
      report(name, () => {
        const last = this.list()[file]?.entries[name];
        const own = last?.status === 'foreign' ? undefined : last;
        const edit = (text: string | undefined) => createPutEdit({ client, format, text }, name, entry, own?.entry);
        return this.put(file, client, name, entry, own, edit);
      });
    }
    return changes;
  }

  private put(
    file: string,
    client: McpClient,
    name: string,
    entry: ServerEntry,
    own: EntryRecord | undefined,
    edit: (text: string | undefined) => EntryEdit,
  ): EditAction | undefined {
    const preview = applyEdit(file, (text) => ({ ...edit(text), text }));
    if (!preview.isForeign) {
      // The record precedes the entry: after a crash, the entry is known to belong to Gatehouse.
      this.record(file, client, name, { entry: own?.entry ?? entry, status: 'writing' });
    }
    try {
      const done = preview.isForeign ? preview : applyEdit(file, edit);
      this.record(file, client, name, { entry, status: done.isForeign ? 'foreign' : 'written' }, done);
      return done.action;
    } catch (error) {
      this.record(file, client, name, own);
      throw error;
    }
  }

  /**
   * Changes the record of one entry; undefined removes it.
   * @param edit the edit that has added the entry
   */
  private record(
    file: string,
    client: McpClient,
    name: string,
    change: EntryRecord | undefined,
    edit: Pick<EntryEdit, 'scaffold' | 'isCreated'> = {},
  ): void {
    const { [file]: before, ...others } = this.list();
    const { [name]: _, ...rest } = before?.entries ?? {};
    const next: FileRecord = {
      client: client.id,
      scaffold: { ...before?.scaffold, ...edit.scaffold },
      isCreated: before?.isCreated === true || edit.isCreated === true,
      entries: change === undefined ? rest : { ...rest, [name]: change },
    };
    const isEmpty = Object.keys(next.entries).length === 0;
    storeWrittenEntries(this.path, isEmpty ? others : { ...others, [file]: next });
  }
}

/** Applies an edit to a file. @returns the edit of the last attempt */
function applyEdit(file: string, edit: (text: string | undefined) => EntryEdit): EntryEdit {
  let last: EntryEdit | undefined;
  changeConfigFile(file, (text) => {
    last = edit(text);
    return last.text;
  });
  return last ?? { text: undefined };
}
