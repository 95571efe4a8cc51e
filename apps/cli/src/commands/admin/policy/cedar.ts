import { Flags } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { switchMode } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy cedar`. */
export default class AdminPolicyCedar extends ManagerCommand {
  static override summary = 'write a policy in Cedar, or make it from the granted groups again';
  static override description = `The document begins as what the granted groups compile to. With --off it is gone, and the groups that were granted last are granted again.`;
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
      await this.confirmUnless(flags.yes, `Drop the Cedar document of ${args.connector} at ${manager.url}?`);
    this.showOne(flags.json, await switchMode(manager, connectorRef(args, flags), !flags.off));
  }
}
