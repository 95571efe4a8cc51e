import { Args, Flags } from '@oclif/core';
import { listMembers } from '../../../services/manager/groups.ts';
import { type Column, listFlags, ManagerCommand } from '../../../base/manager-command.ts';

const COLUMNS: readonly Column<{ type: string; name: string; id: string }>[] = [
  ['TYPE', ({ type }) => type],
  ['NAME', ({ name }) => name],
  ['ID', ({ id }) => id],
];

/** `gatehouse admin groups members`. */
export default class AdminGroupsMembers extends ManagerCommand {
  static override summary = 'list the direct subgroups of a group, and its users, direct or through subgroups';
  static override examples = [
    '<%= config.bin %> admin groups members engineers',
    '<%= config.bin %> admin groups members engineers --search ali',
  ];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };
  static override flags = {
    ...listFlags,
    search: Flags.string({ description: 'part of a name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsMembers);
    const { members, more } = await listMembers(await this.manager(flags), args.group, flags.search, flags);
    if (flags.json) this.output.json(members);
    else {
      const rows = [
        ...members.direct_child_groups.map((group) => ({ type: 'group', name: group.display_name, id: group.id })),
        ...members.transitive_users.map((user) => ({ type: 'user', name: user.user_name, id: user.id })),
      ];
      await this.showList(false, { items: rows, more }, COLUMNS, 'No members');
    }
  }
}
