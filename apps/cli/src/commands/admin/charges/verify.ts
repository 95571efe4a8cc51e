import { dollars } from '../../../terminal/amounts.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { auditCharges } from '../../../services/manager/charge-audit.ts';
import { DIFFERENCE_COLUMNS } from '../../../views/spend-columns.ts';
import { timeFlags, parseTimeRange } from '../../../flags/spend-flags.ts';
import { CommandFailedError } from '../../../errors/cli-error.ts';

/** `gatehouse admin charges verify`. */
export default class AdminChargesVerify extends ManagerCommand {
  static override summary = 'recompute every charge of a time range on this machine';
  static override description = `Reads the reported usage of each request and the prices of its charge, recomputes the amount, and reports every difference. It fails if there is one.`;
  static override examples = [
    '<%= config.bin %> admin charges verify --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z',
    '<%= config.bin %> admin charges verify --from 24h --json',
  ];
  static override flags = timeFlags;

  async run(): Promise<void> {
    const { flags } = await this.read(AdminChargesVerify);
    const range = parseTimeRange(flags);
    const audit = await auditCharges(await this.manager(flags), range, this.interruption());
    if (flags.json) this.output.json(audit);
    else if (audit.differences.length > 0)
      await this.showList(false, { items: audit.differences }, DIFFERENCE_COLUMNS, 'No differences');
    const reserved = audit.reserved_only === 0 ? '' : `; ${audit.reserved_only} have the estimate of their admission`;
    this.output.say(`${audit.checked} charges recomputed, ${dollars(audit.charged_usd)} in total${reserved}`);
    const { difference_count: found, differences } = audit;
    const shown = found > differences.length ? `; the first ${differences.length} are shown` : '';
    if (found > 0) throw new CommandFailedError(`${found} differences were found${shown}`);
  }
}
