import { PROVIDER_COLUMNS } from '../../../views/columns.ts';
import { listProviders } from '../../../services/manager/providers.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin providers list`. */
export default class AdminProvidersList extends ManagerCommand {
  static override hiddenAliases = ['admin:providers:ls'];
  static override summary = 'list the identity providers of connectors';
  static override examples = ['<%= config.bin %> admin providers list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminProvidersList);
    const providers = await listProviders(await this.manager(flags), {}, flags);
    await this.showList(flags.json, providers, PROVIDER_COLUMNS, 'No identity providers');
  }
}
