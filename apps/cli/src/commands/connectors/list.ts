import { OWN_CONNECTOR_COLUMNS } from '../../columns.ts';
import { gatewayFlag } from '../../gateway-flag.ts';
import { ownConnectors } from '../../services/manager/own-connectors.ts';
import { listFlags, ManagerCommand } from '../../manager-command.ts';

/** `gatehouse connectors list`. */
export default class ConnectorsList extends ManagerCommand {
  static override hiddenAliases = ['connectors:ls'];
  static override summary = 'list the connectors that you may use, and what you have set for them';
  static override examples = ['<%= config.bin %> connectors list'];
  static override flags = { ...gatewayFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.read(ConnectorsList);
    const own = await ownConnectors(await this.manager(flags), flags.gateway, flags);
    await this.showList(flags.json, own, OWN_CONNECTOR_COLUMNS, 'No connectors for you');
  }
}
