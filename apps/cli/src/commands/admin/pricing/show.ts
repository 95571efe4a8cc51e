import { Args, Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import {
  PRICE_COLUMNS,
  priceLines,
  TOKEN_UNIT,
  TOOL_PRICE_COLUMNS,
  TOOL_UNIT,
  toolPrices,
} from '../../../views/pricing-view.ts';
import { requireEntries, pricingCatalog, pricingEntry, pricingVersion } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing show`. */
export default class AdminPricingShow extends ManagerCommand {
  static override hiddenAliases = ['admin:pricing:get'];
  static override summary = `show the prices of models, in ${TOKEN_UNIT}`;
  static override description = `Prices of server-side tools are in ${TOOL_UNIT}; they are shown without a provider. With --json and without a provider, prints the catalog in the format of admin pricing set and stage. On stderr it prints the ETag for --if-match.`;
  static override examples = [
    '<%= config.bin %> admin pricing show',
    '<%= config.bin %> admin pricing show openai',
    '<%= config.bin %> admin pricing show openai gpt-5.4',
    '<%= config.bin %> admin pricing show --json > prices.json',
  ];
  static override args = {
    provider: Args.string({ ignoreStdin: true, description: 'only models of this provider' }),
    model: Args.string({ ignoreStdin: true, description: 'only this model (exact name)' }),
  };
  static override flags = {
    catalog: Flags.string({
      description: 'version: the pricing_catalog_id of a charge (default: the version in effect)',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPricingShow);
    const manager = await this.manager(flags);
    const { provider, model } = args;
    if (flags.catalog === undefined && provider !== undefined && model !== undefined) {
      const entry = await pricingEntry(manager, provider, model);
      this.showOne(flags.json, flags.json ? entry : priceLines(entry));
      return;
    }
    const { catalog, etag, version } = await (flags.catalog === undefined
      ? pricingCatalog(manager)
      : pricingVersion(manager, flags.catalog));
    const entries = requireEntries(catalog).filter(
      (entry) => (provider ?? entry.provider) === entry.provider && (model ?? entry.model) === entry.model,
    );
    if (flags.json) this.output.json(provider === undefined ? catalog : entries);
    else {
      await this.showList(false, { items: entries }, PRICE_COLUMNS, 'No prices');
      const tools = provider === undefined ? toolPrices(catalog.spec.tools) : [];
      if (tools.length > 0) {
        this.output.line('');
        await this.showList(false, { items: tools }, TOOL_PRICE_COLUMNS, 'No prices of tools');
      }
    }
    const since = `${version?.state ?? 'in effect'} since ${catalog.effective_from}`;
    this.output.say(etag === undefined ? since : `${since}; ETag ${etag}`);
  }
}
