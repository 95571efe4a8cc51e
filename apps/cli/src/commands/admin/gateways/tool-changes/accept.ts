import { Args } from '@oclif/core';
import { yesFlag } from '../../../../base/base-command.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { decideToolChange } from '../../../../services/manager/tool-changes.ts';
import { printable } from '../../../../terminal/output.ts';

/** `gatehouse admin gateways tool-changes accept`. */
export default class AdminGatewaysToolChangesAccept extends ManagerCommand {
  static override summary = 'accept definitions of tools';
  static override description =
    'Every replica offers the tool with this definition within a second, to all users. Earlier accepted definitions stay accepted.';
  static override examples = [
    '<%= config.bin %> admin gateways tool-changes accept 0197a3c2-2b9c-71d5-aff2-f15eb4bb768a',
  ];
  static override strict = false;
  static override args = {
    change: Args.string({ required: true, ignoreStdin: true, description: 'ids of one or more changes' }),
  };
  static override flags = { ...gatewayFlag, ...yesFlag };

  async run(): Promise<void> {
    const { names, flags } = await this.read(AdminGatewaysToolChangesAccept);
    const gateway = await this.gateway(flags);
    await this.confirmUnless(flags.yes, `Accept ${names.join(', ')} at ${gateway.url}?`);
    const decided = [];
    for (const id of names) {
      const change = await decideToolChange(gateway, 'accept', id);
      decided.push(change);
      if (!flags.json) this.output.say(printable(`The definition of ${change.tool} is accepted (${change.id})`));
    }
    if (flags.json) this.output.json(decided);
  }
}
