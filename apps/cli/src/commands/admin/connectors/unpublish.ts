import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { updateConnector } from '../../../services/manager/connectors.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors unpublish`. */
export default class AdminConnectorsUnpublish extends ManagerCommand {
  static override summary = 'make a connector a draft again; no user can use it from then on';
  static override description = `Its policy and the settings of users stay.`;
  static override examples = ['<%= config.bin %> admin connectors unpublish search'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag, ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsUnpublish);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Unpublish ${args.connector} at ${manager.url} for all users?`);
    this.showOne(flags.json, await updateConnector(manager, connectorRef(args, flags), { draft: true }));
  }
}
