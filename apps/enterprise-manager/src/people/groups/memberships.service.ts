import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UsersRepository } from '../users/users.repository.ts';
import { requireValidNesting } from './group.ts';
import { GroupsService, type TaggedGroup } from './groups.service.ts';
import { MembershipsRepository } from './memberships.repository.ts';

/** A change of the members of a group. */
interface MembershipChange {
  operation: string;
  groupId: string;
  /** The member in the audit event: `users/<id>` or `subgroups/<id>`. */
  member: string;
  ifMatch: string | undefined;
  /** Whether the member of the path exists. */
  exists: (manager: EntityManager) => Promise<boolean>;
  notFound: string;
  /** Applies the change. @returns whether it changed the group */
  apply: (manager: EntityManager, now: string) => Promise<boolean>;
}

/**
 * Adds and removes direct members of groups. Each write is one transaction with its audit event,
 * and returns the group.
 */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly groupsService: GroupsService,
    private readonly users: UsersRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a user to a group. Adding a member changes nothing.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  addUser(caller: Caller, groupId: string, userId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Add user member',
      groupId,
      member: `users/${userId}`,
      ifMatch,
      exists: (manager) => this.users.lockForMembership(manager, userId),
      notFound: 'there is no such user',
      apply: (manager, now) => this.memberships.addUser(manager, groupId, userId, now),
    });
  }

  /**
   * Removes a user from a group.
   * @throws HttpError not_found (also for a user that is not a direct member),
   * precondition_failed, conflict
   */
  removeUser(caller: Caller, groupId: string, userId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Remove user member',
      groupId,
      member: `users/${userId}`,
      ifMatch,
      exists: (manager) => this.memberships.hasUser(manager, groupId, userId),
      notFound: 'this user is not a direct member of the group',
      apply: (manager) => this.memberships.removeUser(manager, groupId, userId),
    });
  }

  /**
   * Adds a subgroup to a group. Adding a subgroup twice changes nothing.
   * @throws HttpError not_found, precondition_failed, conflict for a cycle or a depth above 32
   */
  addSubgroup(caller: Caller, groupId: string, childId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Add subgroup',
      groupId,
      member: `subgroups/${childId}`,
      ifMatch,
      exists: (manager) => this.memberships.lockGroup(manager, childId),
      notFound: 'there is no such group to put into this one',
      apply: async (manager, now) => {
        await this.memberships.lockGraph(manager);
        requireValidNesting(await this.memberships.checkEdges(manager, groupId, [childId]));
        return this.memberships.addSubgroup(manager, groupId, childId, now);
      },
    });
  }

  /**
   * Removes a subgroup from a group.
   * @throws HttpError not_found (also for a group that is not a direct member),
   * precondition_failed, conflict
   */
  removeSubgroup(caller: Caller, groupId: string, childId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Remove subgroup',
      groupId,
      member: `subgroups/${childId}`,
      ifMatch,
      exists: (manager) => this.memberships.hasSubgroup(manager, groupId, childId),
      notFound: 'this group is not directly in the group',
      apply: (manager) => this.memberships.removeSubgroup(manager, groupId, childId),
    });
  }

  private change(caller: Caller, change: MembershipChange): Promise<TaggedGroup> {
    const { operation, groupId, member, ifMatch, exists, notFound, apply } = change;
    return this.groupsService.write(caller, operation, async (manager, recordChange) => {
      const group = await this.groupsService.lock(manager, groupId);
      if (!(await exists(manager))) throw new HttpError('not_found', notFound);
      await this.groupsService.requireChangeable(manager, group, ifMatch);
      const now = this.clock.now().toISOString();
      if (await apply(manager, now)) {
        await this.memberships.touch(manager, groupId, now);
        await recordChange(groupId, [member]);
      }
      return this.groupsService.getWritten(groupId, manager);
    });
  }
}
