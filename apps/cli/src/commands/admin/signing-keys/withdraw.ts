import { Args } from '@oclif/core';
import { withdrawSigningKey } from '../../../services/manager/signing-keys.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin signing-keys withdraw`. */
export default class AdminSigningKeysWithdraw extends ManagerCommand {
  static override summary = 'remove a compromised key from the key set at once';
  static override examples = [
    '<%= config.bin %> admin signing-keys withdraw NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --yes',
  ];
  static override args = {
    kid: Args.string({ required: true, ignoreStdin: true, description: 'id of the key, as in the list' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminSigningKeysWithdraw);
    const manager = await this.manager(flags);
    const question = `Withdraw the signing key ${args.kid} of ${manager.url}? Its signatures are no longer valid`;
    await this.confirmUnless(flags.yes, question);
    await withdrawSigningKey(manager, args.kid);
    this.showDone(flags.json, { id: args.kid, status: 'withdrawn' }, `The key ${args.kid} is withdrawn`);
  }
}
