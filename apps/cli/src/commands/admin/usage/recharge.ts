import { Flags } from '@oclif/core';
import { dollars } from '../../../terminal/amounts.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { definedOnly, timeFlags, parseTimeRange } from '../../../flags/spend-flags.ts';
import { recharge } from '../../../services/manager/spend.ts';

/** `gatehouse admin usage recharge`. */
export default class AdminUsageRecharge extends ManagerCommand {
  static override summary = 'charge requests that had no price when they were reported';
  static override description = `Each is charged with the current prices, in the budget period of its time. No request is charged twice.`;
  static override examples = [
    '<%= config.bin %> admin usage recharge',
    '<%= config.bin %> admin usage recharge --provider openai --model gpt-5 --from 720h',
  ];
  static override flags = {
    ...timeFlags,
    provider: Flags.string({ description: 'exact name of the provider' }),
    model: Flags.string({ description: 'exact name of the serving model' }),
    limit: Flags.integer({ description: 'maximum number of requests', default: 1_000, min: 1, max: 1_000 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminUsageRecharge);
    const { provider, model, limit } = flags;
    const result = await recharge(await this.manager(flags), {
      ...parseTimeRange(flags),
      ...definedOnly({ provider, model }),
      limit,
    });
    if (flags.json) this.output.json(result);
    else {
      const left = `${result.priceable_count} more have a price, ${result.unpriceable_count} have none`;
      this.output.line(`${result.charged_count} charged, ${dollars(result.charged_usd)} in total; ${left}`);
    }
  }
}
