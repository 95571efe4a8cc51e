import { Args } from '@oclif/core';
import { printable } from '../../../terminal/output.ts';
import { setUserMember } from '../../../services/manager/groups.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups remove-user`. */
export default class AdminGroupsRemoveUser extends ManagerCommand {
  static override summary = 'remove a user from a group';
  static override examples = ['<%= config.bin %> admin groups remove-user engineers alice'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsRemoveUser);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Remove the user ${args.user} from ${args.group} at ${manager.url}?`);
    const group = await setUserMember(manager, args.group, args.user, false);
    if (flags.json) this.output.json(group);
    else
      this.output.say(
        printable(
          `${args.user} is not a direct member of ${group.display_name} (users: ${group.transitive_member_count})`,
        ),
      );
  }
}
