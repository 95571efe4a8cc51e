import { Args } from '@oclif/core';
import { yesFlag } from '../../../../base/base-command.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { endSession } from '../../../../services/manager/gateway-sessions.ts';

/** `gatehouse admin gateways sessions end`. */
export default class AdminGatewaysSessionsEnd extends ManagerCommand {
  static override summary = 'end the session of an MCP client';
  static override description =
    'Ends the session on all replicas within a second, with its streams and running requests. The client can begin a new session; `admin users deactivate` keeps a user out.';
  static override examples = ['<%= config.bin %> admin gateways sessions end 0197a3c2-2b9c-41d5-aff2-f15eb4bb768a'];
  static override args = {
    session: Args.string({ required: true, ignoreStdin: true, description: 'id of the session' }),
  };
  static override flags = { ...gatewayFlag, ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminGatewaysSessionsEnd);
    const gateway = await this.gateway(flags);
    await this.confirmUnless(flags.yes, `End session ${args.session} at ${gateway.url}?`);
    await endSession(gateway, args.session);
    this.showDone(flags.json, { id: args.session, status: 'ended' }, `Session ${args.session} has ended`);
  }
}
