import { loadCliConfig, managerEnvironment } from '../../config/config.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse config show`. */
export default class ConfigShow extends ManagerCommand {
  static override hiddenAliases = ['config:get'];
  static override summary = 'show the configuration that the enterprise manager signed for you';
  static override description =
    'Prints the verified configuration on stdout. While the manager cannot be reached, the last accepted configuration is used until it expires.';
  static override examples = ['<%= config.bin %> config show', '<%= config.bin %> config show --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(ConfigShow);
    const { showConfig } = await import('../../services/config.ts');
    const config = await showConfig({
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
