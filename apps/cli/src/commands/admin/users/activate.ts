import { Args } from '@oclif/core';
import { setActive } from '../../../services/manager/users.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users activate`. */
export default class AdminUsersActivate extends ManagerCommand {
  static override summary = 'activate a user that was deactivated';
  static override description = 'Keys that the deactivation disabled work again.';
  static override examples = ['<%= config.bin %> admin users activate alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersActivate);
    const { id, user_name } = await setActive(await this.manager(flags), args.user, true);
    this.showDone(flags.json, { id, status: 'active' }, `${user_name} is active`);
  }
}
