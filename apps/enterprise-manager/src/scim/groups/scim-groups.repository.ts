import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { StoredGroup } from '../../people/groups/group.ts';
import { type Page, type PageRequest, readPage } from '../http/scim-page.ts';
import { unindexed } from '../http/unindexed.ts';

/** A group as SCIM sees it. */
export type ProvisionedGroup = Pick<
  StoredGroup,
  'id' | 'name' | 'display_name' | 'external_id' | 'version' | 'created_at' | 'updated_at'
>;

/**
 * The columns that follow from a group's display name, and its id in the provisioning directory.
 */
export type GroupWrite = Pick<StoredGroup, 'name' | 'display_name' | 'display_name_key' | 'search_key' | 'external_id'>;

const COLUMNS = 'g.id, g.name, g.display_name, g.external_id, g.version, g.created_at, g.updated_at';
const OWN = `g.issuer = $1 AND g.source = 'scim'`;
const FOUND = `SELECT ${COLUMNS} FROM groups g WHERE g.id = $2 AND ${unindexed('g.issuer')} = $1 AND g.source = 'scim'`;
const BY_ID = statement<ProvisionedGroup>(FOUND);
const LOCKED = statement<ProvisionedGroup>(`${FOUND} FOR NO KEY UPDATE`);

/** The groups that an issuer provisions, in the database. */
@Injectable()
export class ScimGroupsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A page of an issuer's groups, and how many there are in all. */
  page(issuer: string, request: PageRequest): Promise<Page<ProvisionedGroup>> {
    const source = { table: 'groups g', id: 'g.id', columns: COLUMNS, own: OWN };
    return readPage<ProvisionedGroup>(this.dataSource, issuer, source, request);
  }

  /** One of an issuer's groups. */
  find(
    issuer: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProvisionedGroup | undefined> {
    return BY_ID.row(manager, [issuer, id]);
  }

  /**
   * The same, locked against every other change of it or of its members until the transaction ends.
   */
  lock(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedGroup | undefined> {
    return LOCKED.row(manager, [issuer, id]);
  }

  /**
   * Adds a group.
   * @throws a unique violation of groups_name_unique or groups_display_name_unique
   */
  async insert(manager: EntityManager, issuer: string, id: string, write: GroupWrite, now: string): Promise<void> {
    await manager.query(
      `INSERT INTO groups (id, issuer, source, description, name, display_name, display_name_key, search_key, external_id, created_at, updated_at)
       VALUES ($1, $2, 'scim', '', $3, $4, $5, $6, $7, $8, $8)`,
      [id, issuer, ...valuesOf(write), now],
    );
  }

  /** Writes the names of a group. @throws as `insert` */
  async update(manager: EntityManager, id: string, write: GroupWrite): Promise<void> {
    await manager.query(
      'UPDATE groups SET name = $2, display_name = $3, display_name_key = $4, search_key = $5, external_id = $6 WHERE id = $1',
      [id, ...valuesOf(write)],
    );
  }

  /** Counts a change of a group or of its members. */
  async touch(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query('UPDATE groups SET version = version + 1, updated_at = $2 WHERE id = $1', [id, now]);
  }

  /**
   * Removes a group and its memberships on both sides; the groups that held it have changed then.
   */
  async delete(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query(
      `WITH parents AS (
         SELECT g.id FROM groups g WHERE g.id IN (SELECT parent_id FROM group_subgroups WHERE child_id = $1) ORDER BY g.id FOR NO KEY UPDATE)
       UPDATE groups g SET version = version + 1, updated_at = $2 FROM parents WHERE g.id = parents.id`,
      [id, now],
    );
    await manager.query('DELETE FROM groups WHERE id = $1', [id]);
  }
}

const valuesOf = (write: GroupWrite): unknown[] => [
  write.name,
  write.display_name,
  write.display_name_key,
  write.search_key,
  write.external_id,
];
