import { Flags } from '@oclif/core';
import { USER_KEY_COLUMNS } from '../../../views/columns.ts';
import { listAllKeys, listKeysOfUser } from '../../../services/manager/user-keys.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin keys list`. */
export default class AdminKeysList extends ManagerCommand {
  static override hiddenAliases = ['admin:keys:ls'];
  static override summary = 'list the virtual API keys of all users, or of one user';
  static override description = `Lists the keys by user, newest first. Sends one request for each user, so --all takes a while in a large directory.`;
  static override examples = [
    '<%= config.bin %> admin keys list',
    '<%= config.bin %> admin keys list --user alice',
    '<%= config.bin %> admin keys list --status active --all --json',
  ];
  static override flags = {
    ...listFlags,
    user: Flags.string({ description: 'only the keys of this user: id, user name or e-mail' }),
    status: Flags.option({
      description: 'only keys with this status',
      options: ['active', 'disabled', 'revoked'] as const,
    })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminKeysList);
    const { json, user, status } = flags;
    const manager = await this.manager(flags);
    const found = await (user === undefined
      ? listAllKeys(manager, status, flags)
      : listKeysOfUser(manager, user, status, flags));
    await this.showList(json, found, USER_KEY_COLUMNS, 'No keys');
  }
}
