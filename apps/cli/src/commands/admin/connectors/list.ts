import { CONNECTOR_COLUMNS } from '../../../views/columns.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { listConnectors } from '../../../services/manager/connectors.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors list`. */
export default class AdminConnectorsList extends ManagerCommand {
  static override hiddenAliases = ['admin:connectors:ls'];
  static override summary = 'list the connectors of a gateway';
  static override examples = ['<%= config.bin %> admin connectors list'];
  static override flags = { ...gatewayFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminConnectorsList);
    const connectors = await listConnectors(await this.manager(flags), flags.gateway, flags);
    await this.showList(flags.json, connectors, CONNECTOR_COLUMNS, 'No connectors');
  }
}
