import { SECRET_COLUMNS } from '../../../views/columns.ts';
import { listSecrets } from '../../../services/manager/secrets.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin secrets list`. */
export default class AdminSecretsList extends ManagerCommand {
  static override hiddenAliases = ['admin:secrets:ls'];
  static override summary = 'list managed secrets; never their values';
  static override examples = ['<%= config.bin %> admin secrets list'];
  static override flags = {
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSecretsList);
    const secrets = await listSecrets(await this.manager(flags), {}, flags);
    await this.showList(flags.json, secrets, SECRET_COLUMNS, 'No secrets');
  }
}
