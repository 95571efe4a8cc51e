import { OWN_CONNECTOR_COLUMNS } from '../../views/columns.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { ownConnectors } from '../../services/manager/own-connectors.ts';
import { listFlags, ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors list`. */
export default class ConnectorsList extends ManagerCommand {
  static override hiddenAliases = ['connectors:ls'];
  static override summary = 'list the connectors that you may use, with your settings';
  static override description =
    'HEALTH shows whether the connector gateway reaches the server of a connector. It is available for the platform on this machine, and with the control plane of the gateway in GATEHOUSE_CONNECTOR_GATEWAY_URL.';
  static override examples = ['<%= config.bin %> connectors list'];
  static override flags = { ...gatewayFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.read(ConnectorsList);
    const own = await ownConnectors(await this.manager(flags), flags.gateway, flags);
    const items = await this.withHealth(flags, flags.gateway, own.items);
    await this.showList(
      flags.json,
      { ...own, items },
      OWN_CONNECTOR_COLUMNS,
      'There are no connectors that you may use',
    );
  }
}
