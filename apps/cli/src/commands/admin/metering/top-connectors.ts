import { ManagerCommand } from '../../../base/manager-command.ts';
import { topFlags, usageFilter } from '../../../flags/metering-flags.ts';
import { topConnectors } from '../../../services/manager/metering.ts';

/** `gatehouse admin metering top-connectors`. */
export default class AdminMeteringTopConnectors extends ManagerCommand {
  static override summary = 'show the most called connectors';
  static override examples = ['<%= config.bin %> admin metering top-connectors --from 24h --limit 5'];
  static override flags = topFlags;

  async run(): Promise<void> {
    const { flags } = await this.read(AdminMeteringTopConnectors);
    const query = { ...usageFilter(flags), limit: flags.limit };
    const { connectors: items } = await topConnectors(await this.manager(flags), query);
    await this.showList(
      flags.json,
      { items },
      [
        ['CONNECTOR', (one) => one.connector_name],
        ['ID', (one) => one.connector_id],
        ['CALLS', (one) => one.tool_call_count],
      ],
      'No calls',
    );
  }
}
