import { Args } from '@oclif/core';
import { setUserKeyEnabled } from '../../../services/manager/users.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users disable-key`. */
export default class AdminUsersDisableKey extends ManagerCommand {
  static override summary = "disable a user's virtual API key";
  static override description = `The owner cannot enable the key again; only an administrator can.`;
  static override examples = ['<%= config.bin %> admin users disable-key alice 7KQ2M9XW'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
    key: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'id of the key, as listed by: gatehouse admin users keys',
    }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersDisableKey);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Disable key ${args.key} of ${args.user} at ${manager.url}?`);
    await setUserKeyEnabled(manager, args.user, args.key, false);
    this.showDone(flags.json, { id: args.key, status: 'disabled' }, `Key ${args.key} is disabled`);
  }
}
