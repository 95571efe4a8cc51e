import { Args } from '@oclif/core';
import { printable } from '../../../terminal/output.ts';
import { setSubgroup } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups add-subgroup`. */
export default class AdminGroupsAddSubgroup extends ManagerCommand {
  static override summary = 'add a group to another group';
  static override examples = ['<%= config.bin %> admin groups add-subgroup engineers night-shift'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
    child: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'subgroup: id, name or display name',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsAddSubgroup);
    const group = await setSubgroup(await this.manager(flags), args.group, args.child, true);
    if (flags.json) this.output.json(group);
    else
      this.output.say(printable(`${args.child} is in ${group.display_name} (users: ${group.transitive_member_count})`));
  }
}
