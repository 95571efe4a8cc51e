import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
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
import { writeStreamedResponse } from '../../../services/manager/streamed-responses.ts';
import { findPayer } from '../../../services/manager/spend.ts';

/** `gatehouse admin spend export`. */
export default class AdminSpendExport extends ManagerCommand {
  static override summary = 'export the spend as CSV';
  static override description = `To stdout, or to a file that appears when the export is complete. --by user has a line for each user that made requests; --payer-user and --payer-group filter by payer. ${PAYER_ORDER}`;
  static override examples = [
    '<%= config.bin %> admin spend export > spend.csv',
    '<%= config.bin %> admin spend export --names --time-zone Europe/Berlin > spend.csv',
    '<%= config.bin %> admin spend export --by user,model --every month --from 2026-01-01 --output spend.csv',
  ];
  static override flags = {
    ...payerFlags,
    ...formerPayerFlags,
    by: Flags.string({
      description: 'columns separated by commas: user (of the requests), model, provider (default: user)',
    }),
    every: Flags.option({ description: 'width of a bucket', options: ['day', 'week', 'month'] as const })(),
    ...dayFlags,
    model: Flags.string({ description: 'exact name of the model' }),
    names: Flags.boolean({ description: 'add a column with the user name when rows are by user' }),
    ...timeZoneFlag,
    output: Flags.string({ char: 'o', description: 'write to this file' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSpendExport);
    refuseFormerPayer(flags, 'gatehouse admin spend export --by user');
    const { by, every, model, output, json, names, 'time-zone': zone } = flags;
    const days = parseDayRange(flags);
    const manager = await this.manager(flags);
    const query = definedOnly({
      ...{ group_by: by, granularity: every, ...days, model, time_zone: zone },
      ...(names && { names: 'true' }),
      ...(await findPayer(manager, flags)),
    });
    await writeStreamedResponse(
      manager,
      { path: '/v1/budgets/spend/export', query, type: 'text/csv' },
      output,
      this.interruption(),
    );
    if (output !== undefined) this.showDone(json, { id: output, status: 'written' }, `Written to ${output}`);
  }
}
