import { Args } from '@oclif/core';
import { printable } from '../../../terminal/output.ts';
import { setUserMember } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups add-user`. */
export default class AdminGroupsAddUser extends ManagerCommand {
  static override summary = 'add a user to a group';
  static override examples = ['<%= config.bin %> admin groups add-user engineers alice'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsAddUser);
    const group = await setUserMember(await this.manager(flags), args.group, args.user, true);
    if (flags.json) this.output.json(group);
    else
      this.output.say(printable(`${args.user} is in ${group.display_name} (users: ${group.transitive_member_count})`));
  }
}
