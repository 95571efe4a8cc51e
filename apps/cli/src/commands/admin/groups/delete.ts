import { Args } from '@oclif/core';
import { deleteGroup, findGroup } from '../../../services/manager/groups.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups delete`. */
export default class AdminGroupsDelete extends ManagerCommand {
  static override summary = 'delete a group; its members stay';
  static override examples = [
    '<%= config.bin %> admin groups delete engineers',
    '<%= config.bin %> admin groups delete engineers --yes',
  ];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsDelete);
    const manager = await this.manager(flags);
    const group = await findGroup(manager, args.group);
    await this.confirmUnless(flags.yes, `Delete the group ${group.display_name} at ${manager.url}?`);
    await deleteGroup(manager, group);
    this.showDone(flags.json, { id: group.id, status: 'deleted' }, `The group ${group.display_name} is deleted`);
  }
}
