import { Flags } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { switchMode } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy cedar`. */
export default class AdminPolicyCedar extends ManagerCommand {
  static override summary = 'switch a policy to Cedar, or back to granted groups';
  static override description = `The first document is compiled from the granted groups. --off deletes the document and grants the earlier groups again.`;
  static override examples = [
    '<%= config.bin %> admin policy cedar github',
    '<%= config.bin %> admin policy cedar github --off',
  ];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    off: Flags.boolean({ description: 'back to granted groups' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyCedar);
    const manager = await this.manager(flags);
    if (flags.off)
      await this.confirmUnless(flags.yes, `Delete the Cedar document of ${args.connector} at ${manager.url}?`);
    this.showOne(flags.json, await switchMode(manager, connectorRef(args, flags), !flags.off));
  }
}
