import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { ownConnector } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors show`. */
export default class ConnectorsShow extends ManagerCommand {
  static override hiddenAliases = ['connectors:get'];
  static override summary = 'show a connector that you may use, with your settings';
  static override examples = ['<%= config.bin %> connectors show search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsShow);
    const own = await ownConnector(await this.manager(flags), connectorRef(args, flags));
    const [shown = own] = await this.withHealth(flags, flags.gateway, [own]);
    this.showOne(flags.json, shown);
  }
}
