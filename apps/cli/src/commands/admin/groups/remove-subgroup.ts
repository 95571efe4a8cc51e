import { Args } from '@oclif/core';
import { printable } from '../../../output.ts';
import { setSubgroup } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../manager-command.ts';

/** `gatehouse admin groups remove-subgroup`. */
export default class AdminGroupsRemoveSubgroup extends ManagerCommand {
  static override summary = 'take a group out of another one';
  static override examples = ['<%= config.bin %> admin groups remove-subgroup engineers night-shift'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
    child: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'the group inside: id, name or display name',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsRemoveSubgroup);
    const group = await setSubgroup(await this.manager(flags), args.group, args.child, false);
    if (flags.json) this.output.json(group);
    else
      this.output.say(
        printable(`${args.child} is not directly in ${group.display_name} (people: ${group.transitive_member_count})`),
      );
  }
}
