import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { listByCreation } from '../../database/creation-order.ts';
import { toUser } from '../users/users.dto.ts';
import { UsersRepository } from '../users/users.repository.ts';
import { type GroupMembers, type GroupMembersQuery, toGroup } from './groups.dto.ts';
import { GroupsRepository } from './groups.repository.ts';
import { throwNoSuchGroup } from './groups.service.ts';

/** Reads the members of groups. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly users: UsersRepository,
    private readonly cursors: CursorCodec,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Lists the direct subgroups and the direct and indirect users, each with cursors of its own.
   * @throws HttpError not_found
   */
  async list(caller: Caller, id: string, query: GroupMembersQuery): Promise<GroupMembers> {
    if (!(await this.groups.find(id))) throwNoSuchGroup();
    const { limit, search, active } = query;
    const childFilter = { directly_in: id, search };
    const userFilter = { within: id, search, active };
    const children = await listByCreation(
      this.cursors,
      {
        binding: { list: 'group-children', filters: childFilter, caller },
        parameters: { cursor: 'groups_cursor', before: 'groups_before' },
        read: (step) => this.groups.list(childFilter, step),
        toItem: toGroup,
      },
      { cursor: query.groups_cursor, before: query.groups_before, limit },
    );
    const users = await listByCreation(
      this.cursors,
      {
        binding: { list: 'group-people', filters: userFilter, caller },
        parameters: { cursor: 'users_cursor', before: 'users_before' },
        read: (step) => this.users.list(userFilter, step),
        toItem: (row) => toUser(this.settings.ISSUERS, row),
      },
      { cursor: query.users_cursor, before: query.users_before, limit },
    );
    return {
      direct_child_groups: children.items,
      transitive_users: users.items,
      ...(children.next_cursor !== undefined && { next_groups_cursor: children.next_cursor }),
      ...(children.prev_cursor !== undefined && { prev_groups_cursor: children.prev_cursor }),
      ...(users.next_cursor !== undefined && { next_users_cursor: users.next_cursor }),
      ...(users.prev_cursor !== undefined && { prev_users_cursor: users.prev_cursor }),
    };
  }
}
