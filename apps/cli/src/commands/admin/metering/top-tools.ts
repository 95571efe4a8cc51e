import { ManagerCommand } from '../../../base/manager-command.ts';
import { topFlags, usageFilter } from '../../../flags/metering-flags.ts';
import { topTools } from '../../../services/manager/metering.ts';

/** `gatehouse admin metering top-tools`. */
export default class AdminMeteringTopTools extends ManagerCommand {
  static override summary = 'show the most called tools';
  static override examples = ['<%= config.bin %> admin metering top-tools --environment production'];
  static override flags = topFlags;

  async run(): Promise<void> {
    const { flags } = await this.read(AdminMeteringTopTools);
    const query = { ...usageFilter(flags), limit: flags.limit };
    const { tools: items } = await topTools(await this.manager(flags), query);
    await this.showList(
      flags.json,
      { items },
      [
        ['TOOL', (one) => one.tool_name],
        ['CONNECTOR', (one) => one.connector_name],
        ['CALLS', (one) => one.tool_call_count],
      ],
      'No calls',
    );
  }
}
