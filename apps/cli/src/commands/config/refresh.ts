import { loadCliConfig, managerEnvironment } from '../../config/config.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse config refresh`. */
export default class ConfigRefresh extends ManagerCommand {
  static override summary = 'fetch the configuration from the enterprise manager now';
  static override description =
    'Refuses a configuration that is older than the accepted one, expired, for another user, or not signed by a key of the manager.';
  static override examples = ['<%= config.bin %> config refresh', '<%= config.bin %> config refresh --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(ConfigRefresh);
    const { refreshShownConfig } = await import('../../services/config.ts');
    const config = await refreshShownConfig({
      home: loadCliConfig(this.config.root).home,
      managerFlags: { url: flags.url, tokenFile: flags['token-file'] },
      environment: managerEnvironment(),
      version: this.config.version,
      say: (text) => this.output.say(text),
      now: () => new Date(),
    });
    this.showConfig(flags.json, config);
  }
}
