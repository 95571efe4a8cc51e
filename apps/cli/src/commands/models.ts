import { AiGatewayCommand } from '../base/ai-gateway-command.ts';
import { describeCaller, listModels } from '../services/ai-gateway/gateway.ts';
import { findPrices } from '../services/manager/pricing.ts';
import { printableLines } from '../terminal/output.ts';
import { createOwnModelColumns, describeMissingModels, joinOwnModels } from '../views/own-models.ts';
import { TOKEN_UNIT } from '../views/pricing-view.ts';

/** `gatehouse models`. */
export default class Models extends AiGatewayCommand {
  static override summary = 'list the models that you may use through the AI gateway';
  static override description = `CONTEXT is the size of the context window in tokens. INPUT and OUTPUT are prices in ${TOKEN_UNIT}, for administrators and auditors. A model without a route of its own answers only if the gateway has a default route. With --json, it shows your groups, your roles and the AI policies that match you.`;
  static override examples = ['<%= config.bin %> models', '<%= config.bin %> models --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(Models);
    const management = await this.management(flags);
    const caller = await describeCaller(management);
    if (flags.json) {
      this.output.json(caller);
      return;
    }
    if (caller.models.length > 0) {
      const [models, prices] = await Promise.all([
        listModels(management, undefined),
        this.manager(flags).then(findPrices, () => undefined),
      ]);
      const items = joinOwnModels(caller.models, models, prices);
      await this.showList(false, { items }, createOwnModelColumns(prices !== undefined), '');
    }
    if (caller.unrestrictedModels) this.output.say('All models (no restriction)');
    else if (caller.models.length === 0) this.output.say(printableLines(describeMissingModels(caller)));
  }
}
