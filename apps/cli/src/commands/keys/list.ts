import { KEY_COLUMNS } from '../../views/columns.ts';
import { listKeys } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys list`. */
export default class KeysList extends ManagerCommand {
  static override hiddenAliases = ['keys:ls'];
  static override summary = 'list your virtual API keys';
  static override examples = ['<%= config.bin %> keys list', '<%= config.bin %> keys list --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(KeysList);
    const items = await listKeys(await this.manager(flags));
    await this.showList(flags.json, { items }, KEY_COLUMNS, 'No keys; create one with: gatehouse keys create');
  }
}
