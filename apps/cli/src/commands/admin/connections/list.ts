import { CONNECTION_COLUMNS } from '../../../columns.ts';
import { connectorArg, connectorRef } from '../../../connector-flags.ts';
import { gatewayFlag } from '../../../gateway-flag.ts';
import { listConnections } from '../../../services/manager/connections.ts';
import { listFlags, ManagerCommand } from '../../../manager-command.ts';

/** `gatehouse admin connections list`. */
export default class AdminConnectionsList extends ManagerCommand {
  static override summary = 'list what people have set for a connector';
  static override examples = ['<%= config.bin %> admin connections list search'];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectionsList);
    const connections = await listConnections(await this.manager(flags), connectorRef(args, flags), flags);
    await this.showList(flags.json, connections, CONNECTION_COLUMNS, 'Nobody has set anything for this connector');
  }
}
