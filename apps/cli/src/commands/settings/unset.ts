import { Args } from '@oclif/core';
import { SettingsCommand } from '../../base/settings-command.ts';

/** `gatehouse settings unset`. */
export default class SettingsUnset extends SettingsCommand {
  static override summary = 'return a setting of the command line to its default';
  static override examples = ['<%= config.bin %> settings unset runtime.npx.image'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'key of the setting' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(SettingsUnset);
    const { unsetSetting } = await import('../../services/settings/settings.ts');
    await this.report(await unsetSetting(args.key, this.cliConfig()), flags.json);
  }
}
