import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../manager-command.ts';
import { connectorArg, connectorRef } from '../../../connector-flags.ts';
import { gatewayFlag } from '../../../gateway-flag.ts';
import { revokeGroup } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy revoke`. */
export default class AdminPolicyRevoke extends ManagerCommand {
  static override summary = 'take a connector from a group';
  static override examples = ['<%= config.bin %> admin policy revoke github --group support'];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    group: Flags.string({ required: true, description: 'group: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyRevoke);
    this.showOne(flags.json, await revokeGroup(await this.manager(flags), connectorRef(args, flags), flags.group));
  }
}
