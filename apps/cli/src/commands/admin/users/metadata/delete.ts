import { Args } from '@oclif/core';
import { deleteMetadata } from '../../../../services/manager/metadata.ts';
import { yesFlag } from '../../../../base/base-command.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin users metadata delete`. */
export default class AdminUsersMetadataDelete extends ManagerCommand {
  static override summary = 'delete the metadata of a user';
  static override examples = ['<%= config.bin %> admin users metadata delete alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersMetadataDelete);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Delete the metadata of ${args.user} at ${manager.url}?`);
    const id = await deleteMetadata(manager, 'user', args.user);
    this.showDone(flags.json, { id, status: 'deleted' }, `The metadata of ${args.user} is deleted`);
  }
}
