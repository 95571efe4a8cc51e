import { Args, Flags } from '@oclif/core';
import { inputObject } from '../../../../json/input.ts';
import { setMetadata } from '../../../../services/manager/metadata.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin users metadata set`. */
export default class AdminUsersMetadataSet extends ManagerCommand {
  static override summary = 'replace the metadata of a user';
  static override examples = ['<%= config.bin %> admin users metadata set alice --file notes.json'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with a JSON object (default: standard input)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersMetadataSet);
    const given = await inputObject(flags.file, 'metadata');
    const id = await setMetadata(await this.manager(flags), 'user', args.user, given);
    this.showDone(flags.json, { id, status: 'written' }, `The metadata of ${args.user} is written`);
  }
}
