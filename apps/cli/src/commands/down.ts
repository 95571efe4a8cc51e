import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig } from '../config/config.ts';
import { stopPlatform } from '../services/platform/stop-platform.ts';
import { withProgress } from '../terminal/progress.ts';

/** `gatehouse down`. */
export default class Down extends GatehouseCommand {
  static override summary = 'stop the platform on this machine; its data stays';
  static override examples = ['<%= config.bin %> down', '<%= config.bin %> down --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(Down);
    const { home } = loadCliConfig(this.config.root);
    const hasRun = await withProgress('Stopping the platform', () => stopPlatform(home, this.interruption()));
    if (flags.json) this.output.json({ status: hasRun ? 'stopped' : 'not-running', home });
    else this.output.say(hasRun ? `The platform of ${home} has stopped` : `No platform of ${home} runs`);
  }
}
