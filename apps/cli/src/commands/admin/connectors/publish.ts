import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { requireReachable, updateConnector } from '../../../services/manager/connectors.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors publish`. */
export default class AdminConnectorsPublish extends ManagerCommand {
  static override summary = 'check the endpoint of a connector and publish it, or check it again';
  static override description = `A connector that fails the check of its endpoint is not available to users. The command then prints the reason and exits with 1.`;
  static override examples = ['<%= config.bin %> admin connectors publish search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsPublish);
    const published = await updateConnector(await this.manager(flags), connectorRef(args, flags), { draft: false });
    this.showOne(flags.json, published);
    requireReachable(published);
  }
}
