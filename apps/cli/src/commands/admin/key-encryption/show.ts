import { KEY_ENCRYPTION_COLUMNS } from '../../../views/columns.ts';
import { keyEncryption } from '../../../services/manager/key-encryption.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin key-encryption show`. */
export default class AdminKeyEncryptionShow extends ManagerCommand {
  static override hiddenAliases = ['admin:key-encryption:get'];
  static override summary = 'show the versions of the key that encrypts stored secrets';
  static override examples = ['<%= config.bin %> admin key-encryption show'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminKeyEncryptionShow);
    const status = await keyEncryption(await this.manager(flags));
    if (flags.json) this.output.json(status);
    else
      await this.showList(
        false,
        { items: status.versions },
        KEY_ENCRYPTION_COLUMNS,
        'There is no key, so secrets cannot be stored',
      );
  }
}
