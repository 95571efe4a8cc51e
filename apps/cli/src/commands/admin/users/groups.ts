import { Args } from '@oclif/core';
import { GROUP_COLUMNS } from '../../../views/columns.ts';
import { groupsOfUser } from '../../../services/manager/users.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users groups`. */
export default class AdminUsersGroups extends ManagerCommand {
  static override summary = 'list the groups of a user, direct or through subgroups';
  static override examples = ['<%= config.bin %> admin users groups alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };
  static override flags = {
    ...listFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersGroups);
    const groups = await groupsOfUser(await this.manager(flags), args.user, flags);
    await this.showList(flags.json, groups, GROUP_COLUMNS, 'This user is in no group');
  }
}
