import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupNamesRepository } from '../../people/groups/group-names.repository.ts';
import { requireValidNesting } from '../../people/groups/group.ts';
import { MembershipsRepository } from '../../people/groups/memberships.repository.ts';
import type { GroupChange, MemberInput } from '../protocol/types.ts';
import { type ProvisionedGroup, ScimGroupsRepository } from './scim-groups.repository.ts';
import { type ChangedMember, type KnownMembers, ScimMembersRepository } from './scim-members.repository.ts';

/** Maximum number of unknown members in a log entry. */
const MAX_LOGGED_IDS = 10;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The present columns of a group that changes apply to. */
type ChangeableGroup = Pick<ProvisionedGroup, 'id' | 'name' | 'display_name' | 'external_id'>;

/**
 * Applies changes to a group in order, in the caller's transaction. All writers lock in the same
 * order: the graph of groups (to add a subgroup), the group, new members by id.
 */
@Injectable()
export class ScimGroupChanges {
  constructor(
    private readonly groups: ScimGroupsRepository,
    private readonly names: GroupNamesRepository,
    private readonly members: ScimMembersRepository,
    private readonly memberships: MembershipsRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Locks the graph of groups if the changes add a subgroup. Called before the group is locked. */
  async lockGraphFor(manager: EntityManager, issuer: string, changes: readonly GroupChange[]): Promise<void> {
    const added = changes.flatMap((change) => ('members' in change ? listIds(change.members) : []));
    if (added.length > 0 && (await this.members.includesGroup(manager, issuer, added)))
      await this.memberships.lockGraph(manager);
  }

  /**
   * Applies the changes to a locked group.
   * @returns the changed attributes, members as `added users/<id>`; empty for no change
   * @throws a unique violation for a name in use; HttpError conflict for a cycle of groups or too
   * deep nesting
   */
  async apply(
    manager: EntityManager,
    issuer: string,
    group: ChangeableGroup,
    changes: readonly GroupChange[],
  ): Promise<string[]> {
    const fields = await this.applyNames(manager, group, changes);
    const steps: ChangedMember[] = [];
    for (const change of changes) steps.push(...(await this.applyMembers(manager, issuer, group.id, change)));
    const changed = [...fields, ...summarizeChanges(steps)];
    if (changed.length > 0) await this.memberships.touch(manager, group.id, this.clock.now().toISOString());
    return changed;
  }

  private async applyNames(
    manager: EntityManager,
    group: ChangeableGroup,
    changes: readonly GroupChange[],
  ): Promise<string[]> {
    let { display_name, external_id } = group;
    for (const change of changes) {
      if (change.kind === 'set_display_name') ({ display_name } = change);
      if (change.kind === 'set_external_id') ({ external_id } = change);
    }
    const changed = [
      ...(display_name === group.display_name ? [] : ['displayName']),
      ...(external_id === group.external_id ? [] : ['externalId']),
    ];
    if (changed.length > 0) {
      const names = await this.names.reserve(manager, group.id, display_name, group);
      await this.groups.update(manager, group.id, { ...names, external_id });
    }
    return changed;
  }

  private async applyMembers(
    manager: EntityManager,
    issuer: string,
    groupId: string,
    change: GroupChange,
  ): Promise<ChangedMember[]> {
    switch (change.kind) {
      case 'add_members':
        return this.add(manager, groupId, await this.lockKnown(manager, issuer, groupId, change.members));
      case 'remove_members':
        return this.members.remove(manager, groupId, change.values.filter(isId));
      case 'remove_members_of_type':
        return this.members.removeType(manager, groupId, change.type);
      case 'replace_members': {
        const known = await this.lockKnown(manager, issuer, groupId, change.members);
        const removed = await this.members.removeOthers(manager, groupId, known);
        return [...removed, ...(await this.add(manager, groupId, known))];
      }
      default:
        return [];
    }
  }

  private async add(manager: EntityManager, groupId: string, known: KnownMembers): Promise<ChangedMember[]> {
    if (known.groups.length > 0) {
      // A subgroup may have been created after `lockGraphFor`.
      await this.memberships.lockGraph(manager);
      requireValidNesting(await this.memberships.checkEdges(manager, groupId, known.groups));
    }
    return this.members.add(manager, groupId, known, this.clock.now().toISOString());
  }

  /**
   * Locks the members that the directory has, and logs the others. Unknown members are left out,
   * because provisioning clients repeat a refused change without end.
   */
  private async lockKnown(
    manager: EntityManager,
    issuer: string,
    groupId: string,
    members: readonly MemberInput[],
  ): Promise<KnownMembers> {
    const known = await this.members.lockKnown(manager, issuer, listIds(members));
    const found = new Set([...known.users, ...known.groups]);
    const unknown = members.map(({ value }) => value).filter((value) => !found.has(value));
    if (unknown.length > 0) {
      this.log.warn(
        {
          group_id: groupId,
          issuer,
          left_out: unknown.length,
          member_ids: unknown.filter(isId).slice(0, MAX_LOGGED_IDS),
        },
        'members of a provisioned group were left out: the directory of its issuer does not have them; provision these members first',
      );
    }
    return known;
  }
}

const isId = (text: string): boolean => UUID.test(text);
const listIds = (members: readonly MemberInput[]): string[] => members.map(({ value }) => value).filter(isId);

/** Combines the steps: a member that one step removed and another added has not changed. */
const summarizeChanges = (steps: readonly ChangedMember[]): string[] => {
  const net = new Map<string, ChangedMember | undefined>();
  for (const member of steps) {
    const before = net.get(member.id);
    net.set(member.id, before !== undefined && before.added !== member.added ? undefined : member);
  }
  return [...net.values()]
    .filter((member) => member !== undefined)
    .map(({ id, type, added }) => `${added ? 'added' : 'removed'} ${type === 'User' ? 'users' : 'subgroups'}/${id}`);
};
