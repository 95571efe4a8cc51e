import { Flags } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig, loadPlatformEnvironment } from '../config/config.ts';
import { findPlatformProgram } from '../services/platform/find-program.ts';
import { keepInForeground } from '../services/platform/foreground.ts';
import { getPlatformLog } from '../services/platform/launch-platform.ts';
import { startPlatform } from '../services/platform/start-platform.ts';
import { withProgress } from '../terminal/progress.ts';
import { formatPlatform } from '../views/platform-view.ts';

/** `gatehouse up`. */
export default class Up extends GatehouseCommand {
  static override summary = 'start the whole platform on this machine';
  static override description = `Starts the enterprise manager, the gateways, the console, an identity provider and a Postgres, waits until they answer, and prints their addresses. The platform stays when the command ends; its data stays in the home. An installed command line needs the package gatehouse-platform. GATEHOUSE_PORT_OFFSET is added to every port.`;
  static override examples = [
    '<%= config.bin %> up',
    '<%= config.bin %> up --demo',
    '<%= config.bin %> up --foreground',
  ];
  static override flags = {
    demo: Flags.boolean({ description: 'add a model that repeats messages, and a policy that grants it to all users' }),
    detach: Flags.boolean({ char: 'd', description: 'return when the platform is ready (the default)' }),
    foreground: Flags.boolean({
      char: 'f',
      description: 'stay until the platform ends; Ctrl-C stops it',
      exclusive: ['detach'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Up);
    const { root, version } = this.config;
    const { home, repository } = loadCliConfig(root);
    const program = findPlatformProgram({ root, version, repository });
    const environment = loadPlatformEnvironment();
    const abort = this.interruption();
    const { platform, launched } = await withProgress('Starting the platform', ({ step }) =>
      startPlatform({ program, home, demo: flags.demo, environment, progress: step, abort }),
    );
    if (flags.json) {
      this.output.json({ status: launched ? 'started' : 'running', home, log: getPlatformLog(home), ...platform });
    } else for (const line of formatPlatform(platform, home)) this.output.line(line);
    if (launched === undefined) {
      this.output.say(`The platform of ${home} has been running since ${platform.started_at}`);
      if (flags.demo) this.output.say('--demo and --foreground have no effect; try gatehouse down before');
    } else if (flags.foreground) process.exitCode = await keepInForeground(launched, abort, this.output.say);
    else launched.release();
  }
}
