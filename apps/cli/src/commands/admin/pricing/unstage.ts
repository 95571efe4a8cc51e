import { Args } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { unstagePricing } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing unstage`. */
export default class AdminPricingUnstage extends ManagerCommand {
  static override summary = 'delete the staged version of the pricing catalog';
  static override examples = ['<%= config.bin %> admin pricing unstage'];
  static override args = {
    from: Args.string({
      ignoreStdin: true,
      description: 'time at which it would take effect (default: that of the staged version)',
    }),
  };

  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPricingUnstage);
    const manager = await this.manager(flags);
    await this.confirmUnless(
      flags.yes,
      `Delete the staged prices${args.from === undefined ? '' : ` of ${args.from}`} at ${manager.url}?`,
    );
    const at = await unstagePricing(manager, args.from);
    this.showDone(
      flags.json,
      { id: at, status: 'deleted' },
      `The version of ${at} is deleted; prices can be changed again`,
    );
  }
}
