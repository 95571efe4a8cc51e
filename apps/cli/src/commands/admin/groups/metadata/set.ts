import { Args, Flags } from '@oclif/core';
import { inputObject } from '../../../../json/input.ts';
import { setMetadata } from '../../../../services/manager/metadata.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin groups metadata set`. */
export default class AdminGroupsMetadataSet extends ManagerCommand {
  static override summary = 'replace the metadata of a group';
  static override examples = ['<%= config.bin %> admin groups metadata set engineers --file notes.json'];
  static override args = {
    group: Args.string({ required: true, ignoreStdin: true, description: 'group: id, name or display name' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with a JSON object (default: standard input)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGroupsMetadataSet);
    const given = await inputObject(flags.file, 'metadata');
    const id = await setMetadata(await this.manager(flags), 'group', args.group, given);
    this.showDone(flags.json, { id, status: 'written' }, `The metadata of ${args.group} is written`);
  }
}
