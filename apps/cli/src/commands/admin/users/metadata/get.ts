import { Args } from '@oclif/core';
import { getMetadata } from '../../../../services/manager/metadata.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';

/** `gatehouse admin users metadata get`. */
export default class AdminUsersMetadataGet extends ManagerCommand {
  static override hiddenAliases = ['admin:users:metadata:show'];
  static override summary = 'show the metadata of a user';
  static override description = `Prints the JSON object; with --json also the time of its last change.`;
  static override examples = ['<%= config.bin %> admin users metadata get alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersMetadataGet);
    const found = await getMetadata(await this.manager(flags), 'user', args.user);
    this.output.json(flags.json ? found : found.metadata);
  }
}
