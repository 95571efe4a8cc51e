import { booleanParameter, cursorParameter, limitParameter, pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText } from '@gatehouse/service-kit/text';
import { description, groupDisplayName, searchText, uuid } from '../../validation/text.ts';
import { User } from '../users/users.dto.ts';
import { MAX_SHOWN_MEMBERS } from './group.ts';
import type { CountedGroup, DirectMember } from './groups.repository.ts';

/** A direct member of a group. */
export const GroupMember = z
  .object({ id: z.guid(), display: z.string(), type: z.enum(['User', 'Group']) })
  .meta({ id: 'GroupMember', description: 'A direct member: a user or a group' });

/** A group, as administrators see it. */
export const Group = z
  .object({
    id: z.guid(),
    name: z
      .string()
      .describe(
        'Derived from the display name: lower case with hyphens; `group` for a display name without letters and digits. A suffix such as `-2` makes it unique',
      ),
    display_name: z.string().describe('Unique, regardless of case and Unicode form'),
    description: z.string(),
    source: z
      .enum(['local', 'scim'])
      .describe('The owner of the group. Groups with the source `scim` are changed in their provisioning directory'),
    transitive_member_count: z
      .int()
      .min(0)
      .describe('Number of direct and indirect users of the group, each counted once'),
    members: z
      .array(GroupMember)
      .optional()
      .describe(
        `Direct members, at most ${MAX_SHOWN_MEMBERS.toLocaleString('en')}; only in the response for one group`,
      ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Group', description: 'A group of users and of other groups' });
export type Group = z.infer<typeof Group>;

const cursor = () => z.string().optional();

/** A page of groups. */
export const GroupPage = z
  .object({ items: z.array(Group), next_cursor: cursor(), prev_cursor: cursor() })
  .meta({ id: 'GroupPage', description: 'Groups in the order of their creation' });
export type GroupPage = z.infer<typeof GroupPage>;

/** Query parameters of `GET /v1/groups`. */
export const GroupListQuery = z.strictObject({
  name: filterText().optional().describe('Exact name'),
  display_name: filterText().optional().describe('Exact display name, case-insensitive'),
  source: filterText().optional().describe('`local` or `scim`'),
  search: searchText('Part of the display name or name, case-insensitive'),
  ...pageParameters(),
});
export type GroupListQuery = z.infer<typeof GroupListQuery>;

/** Query parameters of `GET /v1/users/{id}/groups`. */
export const UserGroupsQuery = z.strictObject(pageParameters());
export type UserGroupsQuery = z.infer<typeof UserGroupsQuery>;

/** Body of `POST /v1/groups`. */
export const GroupCreate = z
  .strictObject({ display_name: groupDisplayName(), description: description().optional() })
  .meta({ id: 'GroupCreate', description: 'A new group' });
export type GroupCreate = z.infer<typeof GroupCreate>;

/** Body of `PATCH /v1/groups/{id}`. */
export const GroupPatch = z
  .strictObject({ display_name: groupDisplayName().optional(), description: description().optional() })
  .meta({ id: 'GroupPatch', description: 'The fields to change; absent fields keep their values' });
export type GroupPatch = z.infer<typeof GroupPatch>;

/** A page of subgroups and a page of users. */
export const GroupMembers = z
  .object({
    direct_child_groups: z.array(Group),
    transitive_users: z.array(User),
    next_groups_cursor: cursor(),
    prev_groups_cursor: cursor(),
    next_users_cursor: cursor(),
    prev_users_cursor: cursor(),
  })
  .meta({ id: 'GroupMembers', description: 'The direct subgroups of a group, and its direct and indirect users' });
export type GroupMembers = z.infer<typeof GroupMembers>;

/** Query parameters of `GET /v1/groups/{id}/members`. */
export const GroupMembersQuery = z.strictObject({
  limit: limitParameter(50, 200),
  users_cursor: cursorParameter('Next page of users, from `next_users_cursor`'),
  users_before: cursorParameter('Previous page of users, from `prev_users_cursor`; not together with `users_cursor`'),
  groups_cursor: cursorParameter('Next page of groups, from `next_groups_cursor`'),
  groups_before: cursorParameter(
    'Previous page of groups, from `prev_groups_cursor`; not together with `groups_cursor`',
  ),
  active: booleanParameter().optional().describe('Only active users, or only inactive users'),
  search: searchText(
    'Part of a user’s display name, user name or e-mail address, or of a group’s display name or name',
  ),
});
export type GroupMembersQuery = z.infer<typeof GroupMembersQuery>;

/** Path parameters of a user in a group. */
export const GroupUserPath = z.strictObject({ group_id: uuid(), user_id: uuid() });
export type GroupUserPath = z.infer<typeof GroupUserPath>;

/** Path parameters of a subgroup. */
export const SubgroupPath = z.strictObject({ group_id: uuid(), child_id: uuid() });
export type SubgroupPath = z.infer<typeof SubgroupPath>;

/** Converts a stored group to the DTO. */
export const toGroup = (row: CountedGroup & { members?: DirectMember[] }): Group => ({
  id: row.id,
  name: row.name,
  display_name: row.display_name,
  description: row.description,
  source: row.source,
  transitive_member_count: row.transitive_member_count,
  ...(row.members && { members: row.members }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});
