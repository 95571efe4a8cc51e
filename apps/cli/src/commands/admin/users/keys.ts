import { Args } from '@oclif/core';
import { KEY_COLUMNS } from '../../../views/columns.ts';
import { listKeysOfUserNamed } from '../../../services/manager/users.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users keys`. */
export default class AdminUsersKeys extends ManagerCommand {
  static override summary = "list a user's virtual API keys";
  static override examples = ['<%= config.bin %> admin users keys alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersKeys);
    const items = await listKeysOfUserNamed(await this.manager(flags), args.user);
    await this.showList(flags.json, { items }, KEY_COLUMNS, 'No keys');
  }
}
