import { statement } from '@gatehouse/database/statement';
import { parseStoredJson } from '@gatehouse/service-kit/json-body';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Stored } from '@gatehouse/database/stored';
import type { EntityKind } from './metadata.ts';
import type { UserMetadataRow } from './metadata.entity.ts';

/** The metadata of one entity. */
export type StoredMetadata = Pick<Stored<UserMetadataRow>, 'metadata' | 'created_at' | 'updated_at'>;

const createStatements = (entities: string, table: string, column: string) => ({
  find: statement<Omit<StoredMetadata, 'metadata'> & { metadata: string }>(
    `SELECT metadata::text AS metadata, created_at, updated_at FROM ${table} WHERE ${column} = $1`,
  ),
  exists: statement<{ id: string }>(`SELECT id FROM ${entities} WHERE id = $1`),
  lock: statement<{ id: string }>(`SELECT id FROM ${entities} WHERE id = $1 FOR NO KEY UPDATE`),
  put: `INSERT INTO ${table} (${column}, metadata, created_at, updated_at) VALUES ($1, $2, $3, $3)
        ON CONFLICT (${column}) DO UPDATE SET metadata = excluded.metadata, updated_at = excluded.updated_at`,
  remove: `DELETE FROM ${table} WHERE ${column} = $1`,
});

const STATEMENTS: Record<EntityKind, ReturnType<typeof createStatements>> = {
  user: createStatements('users', 'user_metadata', 'user_id'),
  group: createStatements('groups', 'group_metadata', 'group_id'),
};

/**
 * Metadata in the database. Written as SQL, because both tables share the statements and numbers
 * are read as text.
 */
@Injectable()
export class MetadataRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Finds the metadata of an entity. Its numbers keep their text. */
  async find(
    kind: EntityKind,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StoredMetadata | undefined> {
    const row = await STATEMENTS[kind].find.row(manager, [id]);
    return row && { ...row, metadata: (await parseStoredJson(row.metadata)) as StoredMetadata['metadata'] };
  }

  /** Whether the entity exists. */
  async exists(kind: EntityKind, id: string): Promise<boolean> {
    return (await STATEMENTS[kind].exists.row(this.dataSource.manager, [id])) !== undefined;
  }

  /**
   * Locks the entity against removal, and its metadata against other writes, until the transaction
   * ends.
   * @returns whether the entity exists
   */
  async lock(manager: EntityManager, kind: EntityKind, id: string): Promise<boolean> {
    return (await STATEMENTS[kind].lock.row(manager, [id])) !== undefined;
  }

  /** Creates or replaces the metadata of a locked entity. */
  async put(manager: EntityManager, kind: EntityKind, id: string, document: object, now: string): Promise<void> {
    await manager.query(STATEMENTS[kind].put, [id, JSON.stringify(document), now]);
  }

  /** Removes the metadata of an entity. */
  async remove(manager: EntityManager, kind: EntityKind, id: string): Promise<void> {
    await manager.query(STATEMENTS[kind].remove, [id]);
  }
}
