import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { switchConnector } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors enable`. */
export default class ConnectorsEnable extends ManagerCommand {
  static override summary = 'enable a connector for yourself at the gateway';
  static override examples = ['<%= config.bin %> connectors enable search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsEnable);
    const { connector } = await switchConnector(await this.manager(flags), connectorRef(args, flags), true);
    this.showDone(flags.json, { id: connector.id, status: 'enabled' }, `${connector.slug} is enabled for you`);
  }
}
