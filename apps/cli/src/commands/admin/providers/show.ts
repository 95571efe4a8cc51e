import { providerArg } from '../../../flags/provider-flags.ts';
import { findIdentityProvider } from '../../../services/manager/providers.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin providers show`. */
export default class AdminProvidersShow extends ManagerCommand {
  static override hiddenAliases = ['admin:providers:get'];
  static override summary = 'show an identity provider, with references to its secrets';
  static override examples = ['<%= config.bin %> admin providers show "Corporate sign-in"'];
  static override args = { ...providerArg };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminProvidersShow);
    this.showOne(flags.json, await findIdentityProvider(await this.manager(flags), args.provider));
  }
}
