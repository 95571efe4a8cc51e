import type { ResourceKind } from '../../resource.ts';
import type { StateDatabase } from './state-database.ts';

/** The identity of a resource within one folder. */
export interface ResourceIdentity {
  readonly kind: ResourceKind;
  readonly name: string;
}

/** The file of a resource, and the SHA-256 (hexadecimal) of the text that the resource has. */
export interface KnownFile extends ResourceIdentity {
  readonly file: string;
  readonly hash: string;
}

/** The files that the resources of a folder were taken from. */
export class KnownFiles {
  constructor(private readonly database: StateDatabase) {}

  find({ kind, name }: ResourceIdentity): KnownFile | undefined {
    return this.database.prepare('SELECT * FROM files WHERE kind = ? AND name = ?').get(kind, name) as
      KnownFile | undefined;
  }

  /** The resources that were taken from a file: at most one, unless two files change places. */
  listByFile(file: string): KnownFile[] {
    return this.database.prepare('SELECT * FROM files WHERE file = ?').all(file) as unknown as KnownFile[];
  }

  list(): KnownFile[] {
    return this.database.prepare('SELECT * FROM files').all() as unknown as KnownFile[];
  }

  /** Stores the file of a resource, within a write. */
  save({ kind, name, file, hash }: KnownFile): void {
    this.database
      .prepare('INSERT OR REPLACE INTO files (kind, name, file, hash) VALUES (?, ?, ?, ?)')
      .run(kind, name, file, hash);
  }

  /** Forgets the file of a resource, within a write. */
  remove({ kind, name }: ResourceIdentity): void {
    this.database.prepare('DELETE FROM files WHERE kind = ? AND name = ?').run(kind, name);
  }

  /** Marks all texts as unread when other rules checked them, within a write. */
  checkRules(rules: string): void {
    const { changes } = this.database.prepare('UPDATE versions SET rules = ? WHERE rules <> ?').run(rules, rules);
    if (Number(changes) > 0) this.database.prepare("UPDATE files SET hash = ''").run();
  }
}
