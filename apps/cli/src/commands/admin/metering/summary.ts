import { ManagerCommand } from '../../../base/manager-command.ts';
import { usageFilter, usageFlags } from '../../../flags/metering-flags.ts';
import { usageSummary } from '../../../services/manager/metering.ts';

/** `gatehouse admin metering summary`. */
export default class AdminMeteringSummary extends ManagerCommand {
  static override summary = 'show the number of calls and the number of users that made them';
  static override examples = ['<%= config.bin %> admin metering summary --from 720h'];
  static override flags = usageFlags;

  async run(): Promise<void> {
    const { flags } = await this.read(AdminMeteringSummary);
    const filter = usageFilter(flags);
    this.showOne(flags.json, await usageSummary(await this.manager(flags), filter));
  }
}
