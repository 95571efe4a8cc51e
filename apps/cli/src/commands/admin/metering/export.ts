import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { usageFilter, usageFlags } from '../../../flags/metering-flags.ts';
import { exportUsage } from '../../../services/manager/metering.ts';
import { definedOnly } from '../../../flags/spend-flags.ts';

/** `gatehouse admin metering export`. */
export default class AdminMeteringExport extends ManagerCommand {
  static override summary = 'export records of tool calls in their signed chains';
  static override description =
    'One page a line, in the format of `gatehouse metering verify`; with --output the key set is written beside the file. stderr shows the cursor for the next export.';
  static override examples = [
    '<%= config.bin %> admin metering export --output calls.ndjson',
    '<%= config.bin %> admin metering export --cursor <cursor> >> calls.ndjson',
  ];
  static override flags = {
    ...usageFlags,
    cursor: Flags.string({ description: 'cursor of an earlier export (default: start at the first record)' }),
    output: Flags.string({ char: 'o', description: 'write to this file' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminMeteringExport);
    const filter = { ...usageFilter(flags), ...definedOnly({ cursor: flags.cursor }) };
    const done = await exportUsage(await this.manager(flags), filter, flags.output, this.interruption());
    if (flags.json && flags.output !== undefined) this.output.json({ ...done, file: flags.output });
    else this.output.say(`${done.records} records; continue with --cursor ${done.resume_cursor}`);
  }
}
