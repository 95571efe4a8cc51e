import { Flags } from '@oclif/core';
import { USER_COLUMNS } from '../../../views/columns.ts';
import { listUsers } from '../../../services/manager/users.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin users list`. */
export default class AdminUsersList extends ManagerCommand {
  static override hiddenAliases = ['admin:users:ls'];
  static override summary = 'list the users of the directory';
  static override examples = [
    '<%= config.bin %> admin users list',
    '<%= config.bin %> admin users list --search ali --json',
    '<%= config.bin %> admin users list --source scim --inactive --all',
  ];
  static override flags = {
    ...listFlags,
    search: Flags.string({ description: 'part of a name or e-mail' }),
    'user-name': Flags.string({ description: 'exact user name' }),
    email: Flags.string({ description: 'exact e-mail' }),
    source: Flags.string({ description: 'source of the entries: config, scim, sign_in' }),
    active: Flags.boolean({ description: 'only active users', exclusive: ['inactive'] }),
    inactive: Flags.boolean({ description: 'only inactive users' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminUsersList);
    const manager = await this.manager(flags);
    const { json, limit, all, search, email, source } = flags;
    const userName = flags['user-name'];
    const users = await listUsers(
      manager,
      {
        ...(search !== undefined && { search }),
        ...(email !== undefined && { email }),
        ...(userName !== undefined && { user_name: userName }),
        ...(source !== undefined && { source }),
        ...((flags.active || flags.inactive) && { active: !flags.inactive }),
      },
      { limit, all },
    );
    await this.showList(json, users, USER_COLUMNS, 'No users');
  }
}
