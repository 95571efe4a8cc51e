import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { findConnector, deleteConnector } from '../../../services/manager/connectors.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors delete`. */
export default class AdminConnectorsDelete extends ManagerCommand {
  static override summary = 'delete a connector with its policy and the settings of all users';
  static override examples = ['<%= config.bin %> admin connectors delete search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag, ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsDelete);
    const manager = await this.manager(flags);
    const connector = await findConnector(manager, connectorRef(args, flags));
    await this.confirmUnless(
      flags.yes,
      `Delete ${connector.slug} with its policy and all connections at ${manager.url}?`,
    );
    await deleteConnector(manager, connector);
    this.showDone(flags.json, { id: connector.id, status: 'deleted' }, `The connector ${connector.slug} is deleted`);
  }
}
