import { SIGNING_KEY_COLUMNS } from '../../../views/columns.ts';
import { signingKeys } from '../../../services/manager/signing-keys.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin signing-keys list`. */
export default class AdminSigningKeysList extends ManagerCommand {
  static override hiddenAliases = ['admin:signing-keys:ls'];
  static override summary = 'list the keys that sign the configuration of clients';
  static override examples = ['<%= config.bin %> admin signing-keys list'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSigningKeysList);
    const items = await signingKeys(await this.manager(flags));
    await this.showList(flags.json, { items }, SIGNING_KEY_COLUMNS, 'No keys yet');
  }
}
