import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { etagOf, requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { listByCreation } from '../../database/creation-order.ts';
import type { PageQuery } from '../../database/keyset.ts';
import { UsersService } from '../users/users.service.ts';
import { MAX_SHOWN_MEMBERS, patched, requireLocal, type StoredGroup } from './group.ts';
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

/** Tries of a write that Postgres ended because of what others wrote at the same time. */
const RETRIES = 5;

/** A group as it is answered, with the ETag of its read. */
export interface TaggedGroup {
  group: Group;
  etag: string;
}

/** Groups: reads, and the life of a group. Every write is one transaction with its audit event. */
@Injectable()
export class GroupsService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly names: GroupNamesRepository,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** A page of groups in the order in which they were made. */
  list(caller: Caller, { cursor, before, limit, ...filter }: GroupListQuery): Promise<GroupPage> {
    return this.page(caller, 'groups', filter, { cursor, before, limit });
  }

  /**
   * The groups that hold a person, directly or through subgroups.
   * @throws HttpError not_found for an unknown person
   */
  async listOfUser(caller: Caller, userId: string, query: PageQuery): Promise<GroupPage> {
    await this.users.get(userId);
    return this.page(caller, 'user-groups', { holding_user: userId }, query);
  }

  /** A group with its direct members. @throws HttpError not_found */
  async get(id: string, manager?: EntityManager): Promise<TaggedGroup> {
    const row = (await this.groups.findWithMembers(id, MAX_SHOWN_MEMBERS, manager)) ?? noSuchGroup();
    const group = toGroup(row);
    return { group, etag: etagOf({ version: row.version, group }) };
  }

  /**
   * A group as writes answer it: without members, but with the tag that a read would have.
   * @throws HttpError not_found
   */
  async written(id: string, manager: EntityManager): Promise<TaggedGroup> {
    const {
      group: { members: _, ...group },
      etag,
    } = await this.get(id, manager);
    return { group, etag };
  }

  /** @throws HttpError conflict when another group has the name */
  async create(caller: Caller, { display_name, description }: GroupCreate): Promise<TaggedGroup> {
    const now = this.clock.now().toISOString();
    const id = uuidv7();
    return this.write(async (manager) => {
      const group: StoredGroup = {
        id,
        ...(await this.names.take(manager, id, display_name)),
        description: description ?? '',
        source: 'local',
        issuer: null,
        external_id: null,
        version: 1,
        created_at: now,
        updated_at: now,
      };
      await this.groups.insert(manager, group);
      await this.audit.record(manager, caller, {
        operation: 'Create group',
        object_kind: 'group',
        object_id: id,
        changed_fields: ['display_name', ...(description === undefined ? [] : ['description'])],
      });
      return this.written(id, manager);
    });
  }

  /** Changes what a patch names. @throws HttpError not_found, precondition_failed, conflict */
  async patch(caller: Caller, id: string, patch: GroupPatch, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.write(async (manager) => {
      const found = await this.lock(manager, id);
      await this.requireChangeable(manager, found, ifMatch);
      const { display_name, description } = patch;
      const names = display_name === undefined ? undefined : await this.names.take(manager, id, display_name, found);
      const { group, changed } = patched(found, { names, description });
      if (changed.length > 0) {
        await this.groups.update(manager, { ...group, updated_at: this.clock.now().toISOString() });
        await this.audit.record(manager, caller, {
          operation: 'Patch group',
          object_kind: 'group',
          object_id: id,
          changed_fields: changed,
        });
      }
      return this.written(id, manager);
    });
  }

  /**
   * Removes a group; its members stay.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.write(async (manager) => {
      await this.requireChangeable(manager, await this.lock(manager, id), ifMatch);
      await this.groups.delete(manager, id);
      await this.audit.record(manager, caller, {
        operation: 'Delete group',
        object_kind: 'group',
        object_id: id,
        changed_fields: [],
      });
    });
  }

  /**
   * Locks a group against every other change of it or of its direct members.
   * @throws HttpError not_found
   */
  async lock(manager: EntityManager, id: string): Promise<StoredGroup> {
    return (await this.groups.lock(manager, id)) ?? noSuchGroup();
  }

  /**
   * Whether a locked group may be changed by this request: the caller's If-Match names its present
   * state, and it is ours to change.
   * @throws HttpError precondition_failed, conflict
   */
  async requireChangeable(manager: EntityManager, group: StoredGroup, ifMatch: string | undefined): Promise<void> {
    if (ifMatch !== undefined) requireMatch(ifMatch, (await this.get(group.id, manager)).etag, 'optional');
    requireLocal(group);
  }

  /** Runs a write of groups; a name that is taken becomes a refusal. */
  async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.dataSource, work, { retries: RETRIES });
    } catch (error) {
      if (isUniqueViolation(error, 'groups_name_unique') || isUniqueViolation(error, 'groups_display_name_unique')) {
        throw new HttpError('conflict', 'display_name: another group has this name already', { cause: error });
      }
      throw error;
    }
  }

  private page(caller: Caller, list: string, filter: GroupFilter, query: PageQuery): Promise<GroupPage> {
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
export const noSuchGroup = (): never => {
  throw new HttpError('not_found', 'there is no such group');
};
