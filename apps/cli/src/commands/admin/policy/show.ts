import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { getPolicy } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy show`. */
export default class AdminPolicyShow extends ManagerCommand {
  static override hiddenAliases = ['admin:policy:get'];
  static override summary = 'show the policy of a connector';
  static override examples = ['<%= config.bin %> admin policy show github'];
  static override args = { ...connectorArg };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyShow);
    this.showOne(flags.json, await getPolicy(await this.manager(flags), connectorRef(args, flags)));
  }
}
