import { Args } from '@oclif/core';
import { getConnection } from '../../../services/manager/connections.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connections get`. */
export default class AdminConnectionsGet extends ManagerCommand {
  static override hiddenAliases = ['admin:connections:show'];
  static override summary = 'show the settings of one user for a connector';
  static override description = `Also shows the last status of the user at the upstream, and exceptions that match no tool.`;
  static override examples = ['<%= config.bin %> admin connections get 0197f0c4-2f6e-7c5a-9a51-0c6a1f3c9d10'];
  static override args = {
    connection: Args.string({ required: true, ignoreStdin: true, description: 'id of the connection' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectionsGet);
    const manager = await this.manager(flags);
    const { id, user_id: user, ...connection } = await getConnection(manager, args.connection);
    const getName = await this.fetchNames(flags.json, manager, [{ scope: 'entry', subject_id: user }]);
    const names = flags.json ? {} : { user_name: getName('entry', user) };
    this.showOne(flags.json, { id, user_id: user, ...names, ...connection });
  }
}
