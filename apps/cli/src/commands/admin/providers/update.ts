import { Flags } from '@oclif/core';
import { providerArg, providerFlags } from '../../../flags/provider-flags.ts';
import { updateProvider } from '../../../services/manager/providers.ts';
import { inputObject } from '../../../json/input.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin providers update`. */
export default class AdminProvidersUpdate extends ManagerCommand {
  static override summary = 'change the given fields of an identity provider, or replace it with a file';
  static override description = `Flags change single fields, a file replaces all fields except the name. The command refuses to overwrite concurrent changes.`;
  static override examples = [
    '<%= config.bin %> admin providers update Corporate --client-id gatehouse-2 --secret corporate-client-2',
    '<%= config.bin %> admin providers update Corporate --file provider.json',
  ];
  static override args = { ...providerArg };
  static override flags = { ...providerFlags, name: Flags.string({ description: 'new name' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminProvidersUpdate);
    const file = flags.file === undefined ? undefined : (await inputObject(flags.file, 'identity provider')).object;
    this.showOne(flags.json, await updateProvider(await this.manager(flags), args.provider, file, flags));
  }
}
