import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { switchConnector } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors disable`. */
export default class ConnectorsDisable extends ManagerCommand {
  static override summary = 'disable a connector for yourself at the gateway';
  static override examples = ['<%= config.bin %> connectors disable search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsDisable);
    const { connector } = await switchConnector(await this.manager(flags), connectorRef(args, flags), false);
    this.showDone(flags.json, { id: connector.id, status: 'disabled' }, `${connector.slug} is disabled for you`);
  }
}
