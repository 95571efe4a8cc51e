import { SIGNING_KEY_COLUMNS } from '../../../views/columns.ts';
import { rotateSigningKeys } from '../../../services/manager/signing-keys.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin signing-keys rotate`. */
export default class AdminSigningKeysRotate extends ManagerCommand {
  static override summary = 'sign with the next key from now on';
  static override examples = ['<%= config.bin %> admin signing-keys rotate'];
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSigningKeysRotate);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Rotate the signing keys of ${manager.url}?`);
    const items = await rotateSigningKeys(manager);
    await this.showList(flags.json, { items }, SIGNING_KEY_COLUMNS, 'No keys');
  }
}
