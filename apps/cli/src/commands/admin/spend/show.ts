import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { DAY_COLUMNS } from '../../../views/spend-columns.ts';
import {
  dayFlags,
  parseDayRange,
  formerPayerFlags,
  definedOnly,
  PAYER_ORDER,
  payerFlags,
  refuseFormerPayer,
  timeZoneFlag,
} from '../../../flags/spend-flags.ts';
import { findPayer, spendByDay } from '../../../services/manager/spend.ts';

/** `gatehouse admin spend show`. */
export default class AdminSpendShow extends ManagerCommand {
  static override hiddenAliases = ['admin:spend:get'];
  static override summary = 'show the spend of each day';
  static override description = `Days are those of UTC, or of --time-zone. ${PAYER_ORDER} Days are filtered by payer, not by the user that made the requests: admin spend export --by user has a line for each user.`;
  static override examples = [
    '<%= config.bin %> admin spend show',
    '<%= config.bin %> admin spend show --from 2026-11-01 --to 2026-12-01 --payer-group engineers',
    '<%= config.bin %> admin spend show --model claude-opus-5 --json',
  ];
  static override flags = {
    ...payerFlags,
    ...formerPayerFlags,
    ...dayFlags,
    model: Flags.string({ description: 'exact name of the model' }),
    ...timeZoneFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSpendShow);
    refuseFormerPayer(flags, 'gatehouse admin spend export --by user');
    const { model, 'time-zone': zone } = flags;
    const days = parseDayRange(flags);
    const manager = await this.manager(flags);
    const series = await spendByDay(manager, {
      ...days,
      ...definedOnly({ model, time_zone: zone }),
      ...(await findPayer(manager, flags)),
    });
    if (flags.json) this.output.json(series);
    else await this.showList(false, { items: series.buckets }, DAY_COLUMNS, 'No days');
  }
}
