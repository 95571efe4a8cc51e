import { Args } from '@oclif/core';
import { getMetadata } from '../../../../services/manager/metadata.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin groups metadata get`. */
export default class AdminGroupsMetadataGet extends ManagerCommand {
  static override hiddenAliases = ['admin:groups:metadata:show'];
  static override summary = 'show the metadata of a group';
  static override description = `Prints the JSON object; with --json also the time of its last change.`;
  static override examples = ['<%= config.bin %> admin groups metadata get engineers'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsMetadataGet);
    const found = await getMetadata(await this.manager(flags), 'group', args.group);
    this.output.json(flags.json ? found : found.metadata);
  }
}
