import { Args } from '@oclif/core';
import { deleteMetadata } from '../../../../services/manager/metadata.ts';
import { yesFlag } from '../../../../base/base-command.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin groups metadata delete`. */
export default class AdminGroupsMetadataDelete extends ManagerCommand {
  static override summary = 'delete the metadata of a group';
  static override examples = ['<%= config.bin %> admin groups metadata delete engineers'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsMetadataDelete);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Delete the metadata of ${args.group} at ${manager.url}?`);
    const id = await deleteMetadata(manager, 'group', args.group);
    this.showDone(flags.json, { id, status: 'deleted' }, `The metadata of ${args.group} is deleted`);
  }
}
