import { DISCOVERED_COLUMNS } from '../../../views/columns.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { listServers } from '../../../services/manager/discovery.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin discovery list`. */
export default class AdminDiscoveryList extends ManagerCommand {
  static override hiddenAliases = ['admin:discovery:ls'];
  static override summary = 'list the MCP servers of the cluster';
  static override description = `Also lists the existing connectors with the endpoint of each server.`;
  static override examples = ['<%= config.bin %> admin discovery list'];
  static override flags = {
    ...gatewayFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminDiscoveryList);
    const servers = await listServers(await this.manager(flags), flags.gateway);
    await this.showList(
      flags.json,
      servers,
      DISCOVERED_COLUMNS,
      'No MCP servers in the cluster, or no cluster is configured',
    );
  }
}
