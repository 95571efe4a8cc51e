import { Args } from '@oclif/core';
import { findGroup } from '../../../services/manager/groups.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups get`. */
export default class AdminGroupsGet extends ManagerCommand {
  static override hiddenAliases = ['admin:groups:show'];
  static override summary = 'show a group and its direct members';
  static override examples = [
    '<%= config.bin %> admin groups get engineers',
    '<%= config.bin %> admin groups get "Night shift" --json',
  ];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsGet);
    const { members, ...group } = await findGroup(await this.manager(flags), args.group);
    if (flags.json) this.output.json({ ...group, members });
    else this.showOne(false, { ...group, members: members?.map(({ display }) => display).join(', ') });
  }
}
