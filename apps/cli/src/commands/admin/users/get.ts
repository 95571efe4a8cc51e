import { Args } from '@oclif/core';
import { findUser } from '../../../services/manager/users.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users get`. */
export default class AdminUsersGet extends ManagerCommand {
  static override hiddenAliases = ['admin:users:show'];
  static override summary = 'show a user';
  static override examples = [
    '<%= config.bin %> admin users get alice',
    '<%= config.bin %> admin users get alice@example.test --json',
  ];
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'user: id, user name or e-mail' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminUsersGet);
    this.showOne(flags.json, await findUser(await this.manager(flags), args.user));
  }
}
