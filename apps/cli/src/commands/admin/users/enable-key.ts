import { Args } from '@oclif/core';
import { setUserKeyEnabled } from '../../../services/manager/users.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users enable-key`. */
export default class AdminUsersEnableKey extends ManagerCommand {
  static override summary = "enable a user's key that an administrator disabled";
  static override examples = ['<%= config.bin %> admin users enable-key alice 7KQ2M9XW'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
    key: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'id of the key, as listed by: gatehouse admin users keys',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersEnableKey);
    await setUserKeyEnabled(await this.manager(flags), args.user, args.key, true);
    this.showDone(flags.json, { id: args.key, status: 'enabled' }, `Key ${args.key} is enabled`);
  }
}
