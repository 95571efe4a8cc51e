import { Args } from '@oclif/core';
import { findSecret } from '../../../services/manager/secrets.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin secrets get`. */
export default class AdminSecretsGet extends ManagerCommand {
  static override hiddenAliases = ['admin:secrets:show'];
  static override summary = 'show a managed secret; never its value';
  static override examples = ['<%= config.bin %> admin secrets get github-token'];
  static override args = {
    secret: Args.string({ required: true, ignoreStdin: true, description: 'secret: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminSecretsGet);
    this.showOne(flags.json, await findSecret(await this.manager(flags), args.secret));
  }
}
