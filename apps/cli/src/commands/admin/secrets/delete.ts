import { Args } from '@oclif/core';
import { deleteSecret, findSecret } from '../../../services/manager/secrets.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin secrets delete`. */
export default class AdminSecretsDelete extends ManagerCommand {
  static override summary = 'delete a managed secret that no connector uses';
  static override examples = ['<%= config.bin %> admin secrets delete github-token'];
  static override args = {
    secret: Args.string({ required: true, ignoreStdin: true, description: 'secret: id or name' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminSecretsDelete);
    const manager = await this.manager(flags);
    const secret = await findSecret(manager, args.secret);
    await this.confirmUnless(flags.yes, `Delete the secret ${secret.name} at ${manager.url}?`);
    await deleteSecret(manager, secret);
    this.showDone(flags.json, { id: secret.id, status: 'deleted' }, `The secret ${secret.name} is deleted`);
  }
}
