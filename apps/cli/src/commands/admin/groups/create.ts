import { Args, Flags } from '@oclif/core';
import { createGroup } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups create`. */
export default class AdminGroupsCreate extends ManagerCommand {
  static override summary = 'create a group';
  static override examples = [
    '<%= config.bin %> admin groups create Engineers',
    '<%= config.bin %> admin groups create "Night shift" --description "on call"',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'display name' }),
  };
  static override flags = {
    description: Flags.string({ description: 'purpose, as free text' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsCreate);
    const { description } = flags;
    const group = await createGroup(await this.manager(flags), {
      display_name: args.name,
      ...(description !== undefined && { description }),
    });
    this.showOne(flags.json, group);
  }
}
