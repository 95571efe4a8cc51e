import { providerArg } from '../../../flags/provider-flags.ts';
import { deleteProvider, findIdentityProvider } from '../../../services/manager/providers.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin providers delete`. */
export default class AdminProvidersDelete extends ManagerCommand {
  static override summary = 'delete an identity provider that no connector uses';
  static override examples = ['<%= config.bin %> admin providers delete Corporate'];
  static override args = { ...providerArg };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminProvidersDelete);
    const manager = await this.manager(flags);
    const provider = await findIdentityProvider(manager, args.provider);
    await this.confirmUnless(flags.yes, `Delete the identity provider ${provider.name} at ${manager.url}?`);
    await deleteProvider(manager, provider);
    this.showDone(flags.json, { id: provider.id, status: 'deleted' }, `${provider.name} is deleted`);
  }
}
