import { Args } from '@oclif/core';
import { SettingsCommand } from '../../base/settings-command.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse settings get`. */
export default class SettingsGet extends SettingsCommand {
  static override hiddenAliases = ['settings:show'];
  static override summary = 'show a setting of the command line';
  static override examples = [
    '<%= config.bin %> settings get runtime.npx.image',
    '<%= config.bin %> settings get engine --json',
  ];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'key of the setting' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(SettingsGet);
    const { formatSettingValue, getSetting } = await import('../../services/settings/settings.ts');
    const setting = getSetting(args.key, this.cliConfig());
    if (flags.json) this.output.json(setting);
    else this.output.line(printable(formatSettingValue(setting.value)));
  }
}
