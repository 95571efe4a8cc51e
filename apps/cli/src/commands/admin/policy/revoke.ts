import { Flags } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { revokeGroup } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy revoke`. */
export default class AdminPolicyRevoke extends ManagerCommand {
  static override summary = 'revoke the access of a group to a connector';
  static override examples = ['<%= config.bin %> admin policy revoke github --group support'];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    group: Flags.string({ required: true, description: 'group: id or name' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyRevoke);
    const manager = await this.manager(flags);
    await this.confirmUnless(
      flags.yes,
      `Revoke the access of the group ${flags.group} to ${args.connector} at ${manager.url}?`,
    );
    this.showOne(flags.json, await revokeGroup(manager, connectorRef(args, flags), flags.group));
  }
}
