import { Args, Flags } from '@oclif/core';
import { excludes, requires } from '../../../flags/flag-relationships.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { LARGEST_CATALOG, pricesMatchFlag } from '../../../views/pricing-view.ts';
import { inputObject } from '../../../json/input.ts';
import {
  modelNamed,
  pricedByReleases,
  putPricingCatalog,
  rateBlock,
  setPrice,
} from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing set`. */
export default class AdminPricingSet extends ManagerCommand {
  static override summary = 'set the price of a model, or replace the whole catalog';
  static override description = `With a model, sets all rates of the model in USD per million tokens; a file contains its rate block. Without a model, the file contains the whole catalog, as printed by admin pricing show --json. Both take effect at once and permanently: the prices of releases no longer apply.`;
  static override examples = [
    '<%= config.bin %> admin pricing set openai gpt-5.4 --input 2.50 --cached-input 0.25 --output 15',
    '<%= config.bin %> admin pricing set google gemini-3.1-pro --file rates.json',
    '<%= config.bin %> admin pricing set --file prices.json',
  ];
  static override args = {
    provider: Args.string({ ignoreStdin: true, description: 'provider, as gateways report it' }),
    model: Args.string({ ignoreStdin: true, description: 'exact name of the model' }),
  };
  static override flags = {
    input: Flags.string({
      description: 'USD per million tokens of prompts',
      relationships: [...requires('output'), ...excludes('file')],
    }),
    output: Flags.string({
      description: 'USD per million tokens of responses',
      relationships: [...requires('input'), ...excludes('file')],
    }),
    'cached-input': Flags.string({
      description: 'USD per million tokens read from a cache',
      relationships: requires('input'),
    }),
    vendor: Flags.option({
      description: 'vendor whose usage format the provider reports (default: the name of the provider)',
      options: ['anthropic', 'openai', 'google'] as const,
      relationships: requires('input'),
    })(),
    file: Flags.string({ description: 'file with the JSON (default: standard input)' }),
    ...pricesMatchFlag,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPricingSet);
    const { provider, model } = args;
    const etag = flags['if-match'];
    const manager = await this.manager(flags);
    if (provider !== undefined || flags.input !== undefined) {
      const price = modelNamed(provider, model);
      const name = `${price.provider}/${price.model}`;
      const block =
        flags.input === undefined ? await inputObject(flags.file, 'rate block') : rateBlock(price.provider, flags);
      if (!flags.yes && (await pricedByReleases(manager)))
        await this.confirmUnless(
          false,
          `This is the first own price: it replaces the prices of releases permanently. Set the price of ${name} at ${manager.url}?`,
        );
      await setPrice(manager, price, block, etag);
      this.showDone(flags.json, { id: name, status: 'set' }, `The price of ${name} is set`);
      return;
    }
    const catalog = await inputObject(flags.file, 'pricing catalog', LARGEST_CATALOG);
    await this.confirmUnless(flags.yes, `Replace all prices of ${manager.url}?`);
    const { id, entry_count } = await putPricingCatalog(manager, catalog, { etag });
    this.showDone(flags.json, { id, status: 'set' }, `${entry_count} models are priced by version ${id}`);
  }
}
