import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { findConnector } from '../../../services/manager/connectors.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors show`. */
export default class AdminConnectorsShow extends ManagerCommand {
  static override hiddenAliases = ['admin:connectors:get'];
  static override summary = 'show a connector and the result of the check of its endpoint; never a secret';
  static override examples = ['<%= config.bin %> admin connectors show github'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsShow);
    this.showOne(flags.json, await findConnector(await this.manager(flags), connectorRef(args, flags)));
  }
}
