import { AiGatewayCommand } from '../base/ai-gateway-command.ts';
import { describeCaller } from '../services/ai-gateway/gateway.ts';
import { printable, printableLines } from '../terminal/output.ts';
import { describeMissingModels } from '../views/own-models.ts';

/** `gatehouse models`. */
export default class Models extends AiGatewayCommand {
  static override summary = 'list the models that you may use through the AI gateway';
  static override description =
    'With --json, it also shows your groups, your roles and the AI policies that match you.';
  static override examples = ['<%= config.bin %> models', '<%= config.bin %> models --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(Models);
    const caller = await describeCaller(await this.management(flags));
    if (flags.json) {
      this.output.json(caller);
      return;
    }
    for (const model of caller.models) this.output.line(printable(model));
    if (caller.unrestrictedModels) this.output.say('All models (no restriction)');
    else if (caller.models.length === 0) this.output.say(printableLines(describeMissingModels(caller)));
  }
}
