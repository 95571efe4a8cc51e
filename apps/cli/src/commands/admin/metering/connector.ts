import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { usageFilter, usageFlags } from '../../../flags/metering-flags.ts';
import { connectorId } from '../../../services/manager/connectors.ts';
import { connectorUsage } from '../../../services/manager/metering.ts';

/** `gatehouse admin metering connector`. */
export default class AdminMeteringConnector extends ManagerCommand {
  static override summary = 'show the calls of a connector, in total and by group';
  static override examples = ['<%= config.bin %> admin metering connector search --from 720h'];
  static override args = { ...connectorArg };
  static override flags = usageFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminMeteringConnector);
    const filter = usageFilter(flags);
    const manager = await this.manager(flags);
    const usage = await connectorUsage(manager, await connectorId(manager, connectorRef(args, flags)), filter);
    if (flags.json) {
      this.output.json(usage);
      return;
    }
    const groups = usage.group_series.map(({ group, points }) => ({
      name: group.display_name ?? (group.name || group.id),
      calls: points.reduce((sum, point) => sum + point.tool_call_count, 0),
    }));
    await this.showList(
      false,
      { items: [{ name: `${usage.connector_name || args.connector} (all)`, calls: usage.tool_call_count }, ...groups] },
      [
        ['CALLER', ({ name }) => name],
        ['CALLS', ({ calls }) => calls],
      ],
      'No calls',
    );
  }
}
