import { rewrap } from '../../../services/manager/key-encryption.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin key-encryption rewrap`. */
export default class AdminKeyEncryptionRewrap extends ManagerCommand {
  static override summary = 'encrypt every stored secret with the current version of the key';
  static override examples = ['<%= config.bin %> admin key-encryption rewrap'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminKeyEncryptionRewrap);
    const status = await rewrap(await this.manager(flags));
    if (flags.json) this.output.json(status);
    else this.output.say(`Rewrapping of stored secrets with version ${status.current_version ?? '-'} has started`);
  }
}
