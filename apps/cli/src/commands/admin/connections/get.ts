import { Args } from '@oclif/core';
import { getConnection } from '../../../services/manager/connections.ts';
import { ManagerCommand } from '../../../manager-command.ts';

/** `gatehouse admin connections get`. */
export default class AdminConnectionsGet extends ManagerCommand {
  static override hiddenAliases = ['admin:connections:show'];
  static override summary = 'show what somebody has set for a connector';
  static override description = `With what the gateway last saw of the person at the upstream, and the exceptions that name no tool.`;
  static override examples = ['<%= config.bin %> admin connections get 0197f0c4-2f6e-7c5a-9a51-0c6a1f3c9d10'];
  static override args = {
    connection: Args.string({ required: true, ignoreStdin: true, description: 'id of the connection' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectionsGet);
    this.showOne(flags.json, await getConnection(await this.manager(flags), args.connection));
  }
}
