import { ServiceCommand } from '../../base/service-command.ts';

/** `gatehouse service remove`. */
export default class ServiceRemove extends ServiceCommand {
  static override hiddenAliases = ['service:rm'];
  static override summary = 'do not start workloads at your login';
  static override description = 'Workloads that run go on.';
  static override examples = ['<%= config.bin %> service remove'];

  async run(): Promise<void> {
    const { flags } = await this.read(ServiceRemove);
    const plan = await this.plan();
    const { removeService } = await import('../../services/service/service.ts');
    const wasInstalled = await removeService(plan);
    if (flags.json) this.output.json({ name: plan.label, status: wasInstalled ? 'removed' : 'not installed' });
    else this.output.say(wasInstalled ? `Removed ${plan.file}` : 'The service is not installed');
  }
}
