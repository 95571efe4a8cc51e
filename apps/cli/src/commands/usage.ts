import { Flags } from '@oclif/core';
import { terminal } from '../config/config.ts';
import { ManagerCommand } from '../base/manager-command.ts';
import { ownUsage } from '../services/manager/usage.ts';
import { dayFlags, parseDayRange, PAYER_ORDER, timeZoneFlag } from '../flags/spend-flags.ts';
import { usageAsText, usageOnScreen } from '../views/usage-view.ts';

/** `gatehouse usage`. */
export default class Usage extends ManagerCommand {
  static override summary = 'show your spend and the remaining amounts of your budgets';
  static override description = `On a terminal it shows bars and a chart, elsewhere a line for each budget and each day. Amounts are US dollars (USD). The remaining amount is the limit minus the used amount; it includes reservations of running requests. ${PAYER_ORDER}`;
  static override examples = [
    '<%= config.bin %> usage',
    '<%= config.bin %> usage --from 2026-11-01 --to 2026-12-01',
    '<%= config.bin %> usage --time-zone Europe/Berlin',
    '<%= config.bin %> usage --model claude-opus-5 --json',
  ];
  static override flags = {
    ...dayFlags,
    model: Flags.string({ description: 'show a chart of only this model' }),
    ...timeZoneFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Usage);
    const { model, 'time-zone': zone } = flags;
    const days = parseDayRange(flags);
    const usage = await ownUsage(await this.manager(flags), {
      ...days,
      ...(model !== undefined && { model }),
      ...(zone !== undefined && { time_zone: zone }),
    });
    if (flags.json) {
      this.output.json({ budgets: usage.summary, spend: usage.spend });
      return;
    }
    const { colours, dumb } = terminal();
    const lines =
      process.stdout.isTTY && !dumb
        ? usageOnScreen(usage, model, { width: process.stdout.columns, colours })
        : usageAsText(usage);
    for (const line of lines) this.output.line(line);
  }
}
