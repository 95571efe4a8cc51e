import { loadCliConfig, type CliConfig } from '../config/config.ts';
import type { Setting } from '../services/settings/settings.ts';
import { GatehouseCommand } from './base-command.ts';

/** The base of commands about the settings of the command line. */
export abstract class SettingsCommand extends GatehouseCommand {
  /** The environment and the home. */
  protected cliConfig(): CliConfig {
    return loadCliConfig(this.config.root);
  }

  /** Prints a changed setting, and a warning where a variable has precedence over the file. */
  protected async report(setting: Setting, json: boolean): Promise<void> {
    const { formatSettingValue } = await import('../services/settings/settings.ts');
    const { key, value, variable } = setting;
    if (variable !== undefined) this.output.say(`Warning: the variable ${variable} has precedence over the setting`);
    if (json) this.output.json(setting);
    else this.output.say(`${key} is ${formatSettingValue(value)} (${variable ?? setting.source})`);
  }
}
