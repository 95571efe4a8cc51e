import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { computeETag, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';
import { listByCreation } from '../../database/creation-order.ts';
import type { PageQuery } from '@gatehouse/database/keyset';
import { UsersService } from '../users/users.service.ts';
import { applyPatch, MAX_SHOWN_MEMBERS, requireLocal, type StoredGroup } from './group.ts';
import {
  type Group,
  type GroupCreate,
  type GroupListQuery,
  type GroupPage,
  type GroupPatch,
  toGroup,
} from './groups.dto.ts';
import { GroupNamesRepository } from './group-names.repository.ts';
import { type GroupFilter, GroupsRepository } from './groups.repository.ts';

const NAME_IN_USE = 'display_name: another group has this name already';

/** A group DTO with the ETag that a read returns. */
export interface TaggedGroup {
  group: Group;
  etag: string;
}

/** Reads and writes groups. Each write is one transaction with its audit event. */
@Injectable()
export class GroupsService {
  /** Runs a transaction that writes a group, with its audit event. */
  readonly write: AuditedWrite;

  constructor(
    private readonly groups: GroupsRepository,
    private readonly names: GroupNamesRepository,
    private readonly users: UsersService,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    audit: AuditService,
    dataSource: DataSource,
  ) {
    const unique = { groups_name_unique: NAME_IN_USE, groups_display_name_unique: NAME_IN_USE };
    this.write = createAuditedWrite({ dataSource, audit }, { kind: 'group', unique });
  }

  /** Lists groups in the order of their creation. */
  list(caller: Caller, { cursor, before, limit, ...filter }: GroupListQuery): Promise<GroupPage> {
    return this.listPage(caller, 'groups', filter, { cursor, before, limit });
  }

  /**
   * Lists the groups that contain a user, directly or through subgroups.
   * @throws HttpError not_found for an unknown user
   */
  async listForUser(caller: Caller, userId: string, query: PageQuery): Promise<GroupPage> {
    await this.users.get(userId);
    return this.listPage(caller, 'user-groups', { holding_user: userId }, query);
  }

  /** Returns a group with its direct members. @throws HttpError not_found */
  async get(id: string, manager?: EntityManager): Promise<TaggedGroup> {
    const row = (await this.groups.findWithMembers(id, MAX_SHOWN_MEMBERS, manager)) ?? throwNoSuchGroup();
    const group = toGroup(row);
    return { group, etag: computeETag({ version: row.version, group }) };
  }

  /**
   * Returns a group as the response of a write: without members, with the ETag of a read.
   * @throws HttpError not_found
   */
  async getWritten(id: string, manager: EntityManager): Promise<TaggedGroup> {
    const {
      group: { members: _, ...group },
      etag,
    } = await this.get(id, manager);
    return { group, etag };
  }

  /** Creates a local group. @throws HttpError conflict when another group has the name */
  async create(caller: Caller, { display_name, description }: GroupCreate): Promise<TaggedGroup> {
    const now = this.clock.now().toISOString();
    const id = uuidv7();
    return this.write(caller, 'Create group', async (manager, recordChange) => {
      const group: StoredGroup = {
        id,
        ...(await this.names.reserve(manager, id, display_name)),
        description: description ?? '',
        source: 'local',
        issuer: null,
        external_id: null,
        version: 1,
        created_at: now,
        updated_at: now,
      };
      await this.groups.insert(manager, group);
      await recordChange(id, ['display_name', ...(description === undefined ? [] : ['description'])]);
      return this.getWritten(id, manager);
    });
  }

  /** Changes the fields of a patch. @throws HttpError not_found, precondition_failed, conflict */
  async patch(caller: Caller, id: string, patch: GroupPatch, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.write(caller, 'Patch group', async (manager, recordChange) => {
      const found = await this.lock(manager, id);
      await this.requireChangeable(manager, found, ifMatch);
      const { display_name, description } = patch;
      const names = display_name === undefined ? undefined : await this.names.reserve(manager, id, display_name, found);
      const { group, changed } = applyPatch(found, { names, description });
      if (changed.length > 0) {
        await this.groups.update(manager, { ...group, updated_at: this.clock.now().toISOString() });
        await recordChange(id, changed);
      }
      return this.getWritten(id, manager);
    });
  }

  /**
   * Removes a group. Its members stay in the directory.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.write(caller, 'Delete group', async (manager, recordChange) => {
      await this.requireChangeable(manager, await this.lock(manager, id), ifMatch);
      await this.groups.delete(manager, id);
      await recordChange(id, []);
    });
  }

  /**
   * Locks a group against every other change of it or of its direct members.
   * @throws HttpError not_found
   */
  async lock(manager: EntityManager, id: string): Promise<StoredGroup> {
    return (await this.groups.lock(manager, id)) ?? throwNoSuchGroup();
  }

  /**
   * Requires that If-Match matches a locked group and that the group is local.
   * @throws HttpError precondition_failed, conflict
   */
  async requireChangeable(manager: EntityManager, group: StoredGroup, ifMatch: string | undefined): Promise<void> {
    if (ifMatch !== undefined) requireMatch(ifMatch, (await this.get(group.id, manager)).etag, 'optional');
    requireLocal(group);
  }

  private listPage(caller: Caller, list: string, filter: GroupFilter, query: PageQuery): Promise<GroupPage> {
    return listByCreation(
      this.cursors,
      {
        binding: { list, filters: { ...filter }, caller },
        read: (step) => this.groups.list(filter, step),
        toItem: toGroup,
      },
      query,
    );
  }
}

/** @throws HttpError not_found */
export const throwNoSuchGroup = (): never => {
  throw new HttpError('not_found', 'there is no such group');
};
