import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { ownConnector } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors disconnect`. */
export default class ConnectorsDisconnect extends ManagerCommand {
  static override summary = 'end your sign-in at the provider of a connector';
  static override description =
    'Revokes your tokens at the provider where it can be, and deletes them at the gateway. The connector stays enabled.';
  static override examples = ['<%= config.bin %> connectors disconnect search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsDisconnect);
    const { disconnectConnector } = await import('../../services/connector-sign-in.ts');
    const { connector } = await ownConnector(await this.manager(flags), connectorRef(args, flags));
    await disconnectConnector(await this.gateway(flags), connector);
    this.showDone(flags.json, { id: connector.id, status: 'disconnected' }, `${connector.slug} is disconnected`);
  }
}
