import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { GroupRow } from '../../people/groups/group.entity.ts';
import type { StoredGroup } from '../../people/groups/group.ts';
import { type Page, type PageRequest, readPage } from '../http/scim-page.ts';
import { disableIndex } from '../http/unindexed.ts';

/** A group as SCIM shows it. */
export type ProvisionedGroup = Pick<
  StoredGroup,
  'id' | 'name' | 'display_name' | 'external_id' | 'version' | 'created_at' | 'updated_at'
>;

/** The columns that follow from a group's display name, and its `externalId`. */
export type GroupWrite = Pick<StoredGroup, 'name' | 'display_name' | 'display_name_key' | 'search_key' | 'external_id'>;

const COLUMNS = 'g.id, g.name, g.display_name, g.external_id, g.version, g.created_at, g.updated_at';
const OWN = `g.issuer = $1 AND g.source = 'scim'`;
const FOUND = `SELECT ${COLUMNS} FROM groups g WHERE g.id = $2 AND ${disableIndex('g.issuer')} = $1 AND g.source = 'scim'`;
const BY_ID = statement<ProvisionedGroup>(FOUND);
const LOCK = statement<ProvisionedGroup>(`${FOUND} FOR NO KEY UPDATE`);

/**
 * The groups that an issuer provisions, in the database. Written as SQL: pages with filters, reads
 * with tested plans, and locks.
 */
@Injectable()
export class ScimGroupsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads a page of an issuer's groups and their total number. */
  readPage(issuer: string, request: PageRequest): Promise<Page<ProvisionedGroup>> {
    const source = { table: 'groups g', id: 'g.id', columns: COLUMNS, own: OWN };
    return readPage<ProvisionedGroup>(this.dataSource, issuer, source, request);
  }

  /** Finds a group of an issuer. */
  find(
    issuer: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProvisionedGroup | undefined> {
    return BY_ID.row(manager, [issuer, id]);
  }

  /** Locks a group and its members against other changes until the transaction ends. */
  lock(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedGroup | undefined> {
    return LOCK.row(manager, [issuer, id]);
  }

  /**
   * Adds a group.
   * @throws a unique violation of groups_name_unique or groups_display_name_unique
   */
  async insert(manager: EntityManager, issuer: string, id: string, write: GroupWrite, now: string): Promise<void> {
    const row = { ...write, id, issuer, source: 'scim' as const, description: '', created_at: now, updated_at: now };
    await manager.insert(GroupRow, row);
  }

  /** Writes the names of a group. @throws as `insert` */
  async update(manager: EntityManager, id: string, write: GroupWrite): Promise<void> {
    await manager.update(GroupRow, { id }, write);
  }

  /** Removes a group and its memberships, and increments the versions of its parent groups. */
  async delete(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query(
      `WITH parents AS (
         SELECT g.id FROM groups g WHERE g.id IN (SELECT parent_id FROM group_subgroups WHERE child_id = $1) ORDER BY g.id FOR NO KEY UPDATE)
       UPDATE groups g SET version = version + 1, updated_at = $2 FROM parents WHERE g.id = parents.id`,
      [id, now],
    );
    await manager.delete(GroupRow, { id });
  }
}
