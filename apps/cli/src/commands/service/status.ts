import { ServiceCommand } from '../../base/service-command.ts';
import { detailLines } from '../../terminal/detail-view.ts';

/** `gatehouse service status`. */
export default class ServiceStatus extends ServiceCommand {
  static override summary = 'show whether workloads start at your login';
  static override examples = ['<%= config.bin %> service status', '<%= config.bin %> service status --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(ServiceStatus);
    const { readServiceState } = await import('../../services/service/service.ts');
    const state = await readServiceState(await this.plan());
    if (flags.json) this.output.json(state);
    else for (const line of detailLines(state)) this.output.line(line);
  }
}
