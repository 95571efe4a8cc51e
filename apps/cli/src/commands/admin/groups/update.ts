import { Args, Flags } from '@oclif/core';
import { updateGroup } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups update`. */
export default class AdminGroupsUpdate extends ManagerCommand {
  static override summary = 'change a group that is not provisioned';
  static override examples = ['<%= config.bin %> admin groups update engineers --name "Platform engineers"'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };
  static override flags = {
    name: Flags.string({ description: 'new display name', atLeastOne: ['name', 'description'] }),
    description: Flags.string({ description: 'purpose, as free text' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsUpdate);
    const { name, description } = flags;
    const change = {
      ...(name !== undefined && { display_name: name }),
      ...(description !== undefined && { description }),
    };
    this.showOne(flags.json, await updateGroup(await this.manager(flags), args.group, change));
  }
}
