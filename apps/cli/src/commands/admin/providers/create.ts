import { Args } from '@oclif/core';
import { providerFlags } from '../../../flags/provider-flags.ts';
import { createProvider } from '../../../services/manager/providers.ts';
import { inputObject } from '../../../json/input.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin providers create`. */
export default class AdminProvidersCreate extends ManagerCommand {
  static override summary = 'create an identity provider at which connectors sign users in';
  static override description = `The metadata of the provider is read and checked. A file can contain any field; flags override the fields of the file.`;
  static override examples = [
    '<%= config.bin %> admin providers create Corporate --issuer https://login.example.com --client-id gatehouse --secret corporate-client',
    '<%= config.bin %> admin providers create Tracker --issuer https://tracker.example.com --dcr --scope openid --scope offline_access',
    '<%= config.bin %> admin providers create --file provider.json',
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the identity provider' }),
  };
  static override flags = { ...providerFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminProvidersCreate);
    const file = flags.file === undefined ? undefined : (await inputObject(flags.file, 'identity provider')).object;
    const words = { ...flags, name: args.name };
    this.showOne(flags.json, await createProvider(await this.manager(flags), file, words));
  }
}
