import { Args } from '@oclif/core';
import { printable } from '../../../terminal/output.ts';
import { setSubgroup } from '../../../services/manager/groups.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups remove-subgroup`. */
export default class AdminGroupsRemoveSubgroup extends ManagerCommand {
  static override summary = 'remove a group from another group';
  static override examples = ['<%= config.bin %> admin groups remove-subgroup engineers night-shift'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
    child: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'subgroup: id, name or display name',
    }),
  };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsRemoveSubgroup);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Remove the group ${args.child} from ${args.group} at ${manager.url}?`);
    const group = await setSubgroup(manager, args.group, args.child, false);
    if (flags.json) this.output.json(group);
    else
      this.output.say(
        printable(
          `${args.child} is not a direct member of ${group.display_name} (users: ${group.transitive_member_count})`,
        ),
      );
  }
}
