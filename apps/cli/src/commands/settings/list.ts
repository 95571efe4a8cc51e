import { SettingsCommand } from '../../base/settings-command.ts';
import { terminal } from '../../config/config.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse settings list`. */
export default class SettingsList extends SettingsCommand {
  static override hiddenAliases = ['settings:ls'];
  static override summary = 'list the settings of the command line';
  static override description = `Shows the value of each setting and its source: the default, settings.json of the home, or an environment variable.`;
  static override examples = ['<%= config.bin %> settings list', '<%= config.bin %> settings list --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(SettingsList);
    const { formatSettingValue, listSettings } = await import('../../services/settings/settings.ts');
    const settings = listSettings(this.cliConfig());
    if (flags.json) {
      this.output.json(settings);
      return;
    }
    const { formatTable } = await import('../../terminal/table.ts');
    const rows = settings.map(({ key, value, source, variable, description }) => [
      key,
      printable(formatSettingValue(value)),
      variable ?? source,
      description,
    ]);
    const head = ['SETTING', 'VALUE', 'SOURCE', 'DESCRIPTION'];
    this.output.line(formatTable(head, rows, process.stdout.isTTY && terminal().colours));
  }
}
