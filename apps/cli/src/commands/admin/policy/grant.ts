import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { grantGroups } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy grant`. */
export default class AdminPolicyGrant extends ManagerCommand {
  static override summary = 'grant a connector to more groups';
  static override examples = ['<%= config.bin %> admin policy grant github --group engineers --group support'];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    group: Flags.string({ required: true, multiple: true, description: 'group: id or name; may be repeated' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyGrant);
    this.showOne(flags.json, await grantGroups(await this.manager(flags), connectorRef(args, flags), flags.group));
  }
}
