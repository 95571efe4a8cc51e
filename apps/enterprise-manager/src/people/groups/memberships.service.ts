import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { UsersRepository } from '../users/users.repository.ts';
import { requireSoundNesting } from './group.ts';
import { GroupsService, type TaggedGroup } from './groups.service.ts';
import { MembershipsRepository } from './memberships.repository.ts';

/** A change of who or what is in a group. */
interface MembershipChange {
  operation: string;
  groupId: string;
  /** How the audit trail names the member: `users/<id>` or `subgroups/<id>`. */
  member: string;
  ifMatch: string | undefined;
  /** Whether what the path names is there. */
  found: (manager: EntityManager) => Promise<boolean>;
  missing: string;
  /** Makes the change. @returns whether anything was different before */
  apply: (manager: EntityManager, now: string) => Promise<boolean>;
}

/**
 * Writes of who and what is in which group. Each is one transaction with its audit event, and
 * answers with the group as it is then.
 */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly groupsService: GroupsService,
    private readonly users: UsersRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts a person into a group; a member stays one.
   * @throws HttpError not_found, precondition_failed, conflict
   */
  addUser(caller: Caller, groupId: string, userId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Add user member',
      groupId,
      member: `users/${userId}`,
      ifMatch,
      found: (manager) => this.users.holdForMembership(manager, userId),
      missing: 'there is no such user',
      apply: (manager, now) => this.memberships.addUser(manager, groupId, userId, now),
    });
  }

  /**
   * Takes a person out of a group.
   * @throws HttpError not_found (also for somebody who is not a direct member),
   * precondition_failed, conflict
   */
  removeUser(caller: Caller, groupId: string, userId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Remove user member',
      groupId,
      member: `users/${userId}`,
      ifMatch,
      found: (manager) => this.memberships.holdsUser(manager, groupId, userId),
      missing: 'this user is not a direct member of the group',
      apply: (manager) => this.memberships.removeUser(manager, groupId, userId),
    });
  }

  /**
   * Puts a group into a group; a child stays one.
   * @throws HttpError not_found, precondition_failed, conflict for a cycle or a depth above 32
   */
  addSubgroup(caller: Caller, groupId: string, childId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Add subgroup',
      groupId,
      member: `subgroups/${childId}`,
      ifMatch,
      found: (manager) => this.memberships.holdGroup(manager, childId),
      missing: 'there is no such group to put into this one',
      apply: async (manager, now) => {
        await this.memberships.lockGraph(manager);
        requireSoundNesting(await this.memberships.checkEdges(manager, groupId, [childId]));
        return this.memberships.addSubgroup(manager, groupId, childId, now);
      },
    });
  }

  /**
   * Takes a group out of a group.
   * @throws HttpError not_found (also for a group that is not directly in it), precondition_failed,
   * conflict
   */
  removeSubgroup(caller: Caller, groupId: string, childId: string, ifMatch: string | undefined): Promise<TaggedGroup> {
    return this.change(caller, {
      operation: 'Remove subgroup',
      groupId,
      member: `subgroups/${childId}`,
      ifMatch,
      found: (manager) => this.memberships.holdsSubgroup(manager, groupId, childId),
      missing: 'this group is not directly in the group',
      apply: (manager) => this.memberships.removeSubgroup(manager, groupId, childId),
    });
  }

  private change(caller: Caller, change: MembershipChange): Promise<TaggedGroup> {
    const { operation, groupId, member, ifMatch, found, missing, apply } = change;
    return this.groupsService.write(async (manager) => {
      const group = await this.groupsService.lock(manager, groupId);
      if (!(await found(manager))) throw new HttpError('not_found', missing);
      await this.groupsService.requireChangeable(manager, group, ifMatch);
      const now = this.clock.now().toISOString();
      if (await apply(manager, now)) {
        await this.memberships.touch(manager, groupId, now);
        await this.audit.record(manager, caller, {
          operation,
          object_kind: 'group',
          object_id: groupId,
          changed_fields: [member],
        });
      }
      return this.groupsService.written(groupId, manager);
    });
  }
}
