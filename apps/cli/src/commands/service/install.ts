import { Flags } from '@oclif/core';
import { userInfo } from 'node:os';
import { ServiceCommand } from '../../base/service-command.ts';

/** `gatehouse service install`. */
export default class ServiceInstall extends ServiceCommand {
  static override summary = 'start workloads at your login';
  static override description = `Installs a unit of your systemd (Linux) or an agent of launchd (macOS) that runs \`gatehouse start --all\`: it starts the workloads that no command has stopped. The file has the paths of node and gatehouse, and the variables of this command about the home and the container engine; install it again when they change.`;
  static override examples = [
    '<%= config.bin %> service install',
    '<%= config.bin %> service install --dry-run   (prints the file)',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'print the file, and change nothing' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(ServiceInstall);
    const plan = await this.plan();
    const { writeServiceFile } = await import('../../services/service/service-file.ts');
    if (flags['dry-run']) {
      const content = writeServiceFile(plan);
      if (flags.json) this.output.json({ manager: plan.manager, name: plan.label, file: plan.file, content });
      else this.output.line(content.trimEnd());
      return;
    }
    const { installService } = await import('../../services/service/service.ts');
    await installService(plan);
    if (flags.json) this.output.json({ manager: plan.manager, name: plan.label, file: plan.file, status: 'installed' });
    else {
      this.output.say(`Installed ${plan.file}: the workloads start at your login`);
      if (plan.manager === 'systemd')
        this.output.say(
          `To start them with the machine, before a login: loginctl enable-linger ${userInfo().username}`,
        );
    }
  }
}
