import { Args } from '@oclif/core';
import { setActive, findUser } from '../../../services/manager/users.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users deactivate`. */
export default class AdminUsersDeactivate extends ManagerCommand {
  static override summary = 'deactivate a user and disable all keys of the user';
  static override description =
    'The user has no access until an administrator activates the user again. Deactivate a user that SCIM provisions in the provisioning directory.';
  static override examples = ['<%= config.bin %> admin users deactivate alice'];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersDeactivate);
    const manager = await this.manager(flags);
    const { id, user_name } = await findUser(manager, args.user);
    await this.confirmUnless(flags.yes, `Deactivate ${user_name} at ${manager.url}?`);
    await setActive(manager, id, false);
    this.showDone(flags.json, { id, status: 'deactivated' }, `${user_name} is deactivated`);
  }
}
