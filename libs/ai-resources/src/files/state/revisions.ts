import type { Resource, ResourceKind } from '../../resource.ts';
import type { StateDatabase } from './state-database.ts';

/** Time for which older states stay readable: `continue` of a list is valid for as long. */
const HISTORY_MS = 5 * 60_000;
const WRITES_PER_COMPACTION = 100;

/** A resource without its version, which its row has. */
export type UnversionedResource = Omit<Resource, 'metadata'> & {
  readonly metadata: Omit<Resource['metadata'], 'resourceVersion'>;
};

/** A state of a resource. */
export interface Revision {
  readonly version: number;
  readonly isDeleted: boolean;
  readonly resource: Resource;
}

interface RevisionRow {
  readonly version: number;
  readonly is_deleted: number;
  readonly resource: string;
}

/** The states of all resources of a folder, each with the version that its write got. */
export class Revisions {
  constructor(private readonly database: StateDatabase) {}

  /** The version of the last write, and the last version whose older states are gone. */
  readVersions(): { readonly latest: number; readonly compacted: number } {
    return this.database.prepare('SELECT latest, compacted FROM versions').get() as {
      latest: number;
      compacted: number;
    };
  }

  find(kind: ResourceKind, name: string): Resource | undefined {
    const row = this.database
      .prepare('SELECT * FROM revisions WHERE kind = ? AND name = ? ORDER BY version DESC LIMIT 1')
      .get(kind, name) as RevisionRow | undefined;
    return row === undefined || row.is_deleted === 1 ? undefined : toResource(row);
  }

  /** The resources at a version, sorted by name, from the first one after a name. */
  *list(kind: ResourceKind, version: number, after: string): Generator<Resource> {
    const rows = this.database
      .prepare(
        `SELECT MAX(version) AS version, is_deleted, resource FROM revisions
         WHERE kind = ? AND name > ? AND version <= ? GROUP BY name ORDER BY name`,
      )
      .iterate(kind, after, version) as Iterable<unknown> as Iterable<RevisionRow>;
    for (const row of rows) if (row.is_deleted === 0) yield toResource(row);
  }

  /** The number of resources at a version after a name. */
  count(kind: ResourceKind, version: number, after: string): number {
    const { total } = this.database
      .prepare(
        `SELECT COUNT(*) AS total FROM (SELECT MAX(version), is_deleted FROM revisions
         WHERE kind = ? AND name > ? AND version <= ? GROUP BY name) WHERE is_deleted = 0`,
      )
      .get(kind, after, version) as { total: number };
    return total;
  }

  /** The states that were written after a version, in the order of their writes. */
  listSince(kind: ResourceKind, version: number): Revision[] {
    // The sign prevents the index by kind, which would read all resources.
    const rows = this.database
      .prepare('SELECT * FROM revisions WHERE version > ? AND +kind = ? ORDER BY version')
      .all(version, kind) as unknown as RevisionRow[];
    return rows.map((row) => ({ version: row.version, isDeleted: row.is_deleted === 1, resource: toResource(row) }));
  }

  /** Stores a state with the next version, within a write. @param now milliseconds */
  append(resource: UnversionedResource, isDeleted: boolean, now: number): Resource {
    const { latest } = this.database.prepare('UPDATE versions SET latest = latest + 1 RETURNING latest').get() as {
      latest: number;
    };
    const { kind, metadata } = resource;
    this.database
      .prepare(
        'INSERT INTO revisions (version, kind, name, is_deleted, written_at, resource) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(latest, kind, metadata.name, isDeleted ? 1 : 0, now, JSON.stringify(resource));
    if (latest % WRITES_PER_COMPACTION === 0) this.compact(now - HISTORY_MS);
    return addVersion(resource, latest);
  }

  /** Removes states that were replaced before a time (milliseconds), within a write. */
  compact(before: number): void {
    const { compacted } = this.database
      .prepare(
        `UPDATE versions SET compacted = MAX(compacted,
         (SELECT COALESCE(MAX(version), 0) FROM revisions WHERE written_at < ?)) RETURNING compacted`,
      )
      .get(before) as { compacted: number };
    this.database
      .prepare(
        `DELETE FROM revisions WHERE version < ? AND EXISTS (SELECT 1 FROM revisions AS newer
         WHERE newer.kind = revisions.kind AND newer.name = revisions.name
         AND newer.version > revisions.version AND newer.version <= ?)`,
      )
      .run(compacted, compacted);
    this.database.prepare('DELETE FROM revisions WHERE version <= ? AND is_deleted = 1').run(compacted);
  }
}

const toResource = ({ version, resource }: RevisionRow): Resource =>
  addVersion(JSON.parse(resource) as UnversionedResource, version);

const addVersion = (resource: UnversionedResource, version: number): Resource => ({
  ...resource,
  metadata: { ...resource.metadata, resourceVersion: String(version) },
});

/** Returns the resource without its version. */
export function removeVersion(resource: Resource): UnversionedResource {
  const { resourceVersion: _, ...metadata } = resource.metadata;
  return { ...resource, metadata };
}
