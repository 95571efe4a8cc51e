import { Args } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { pricesMatchFlag } from '../../../views/pricing-view.ts';
import { deletePrice } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing delete`. */
export default class AdminPricingDelete extends ManagerCommand {
  static override summary = 'delete the price of a model; the model can no longer be used';
  static override examples = ['<%= config.bin %> admin pricing delete openai gpt-5.4'];
  static override args = {
    provider: Args.string({ required: true, ignoreStdin: true, description: 'provider, as in the catalog' }),
    model: Args.string({ required: true, ignoreStdin: true, description: 'exact name of the model' }),
  };
  static override flags = { ...pricesMatchFlag, ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPricingDelete);
    const { provider, model } = args;
    const manager = await this.manager(flags);
    await this.confirmUnless(
      flags.yes,
      `Delete the price of ${provider} ${model} at ${manager.url}? Requests for it will be denied.`,
    );
    await deletePrice(manager, args, flags['if-match']);
    this.showDone(
      flags.json,
      { id: `${provider}/${model}`, status: 'deleted' },
      `The price of ${provider} ${model} is deleted`,
    );
  }
}
