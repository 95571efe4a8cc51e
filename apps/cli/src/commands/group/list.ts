import { WorkloadCommand } from '../../base/workload-command.ts';
import { terminal } from '../../config/config.ts';

/** `gatehouse group list`. */
export default class GroupList extends WorkloadCommand {
  static override hiddenAliases = ['group:ls'];
  static override summary = 'list the groups of workloads';
  static override examples = ['<%= config.bin %> group list', '<%= config.bin %> group list --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(GroupList);
    const groups = this.workloads().listGroups();
    if (flags.json) {
      this.output.json(groups);
      return;
    }
    const { formatTable } = await import('../../terminal/table.ts');
    const rows = groups.map(({ name, workloads, registered_clients: clients }) => [
      name,
      workloads.join(', ') || '-',
      clients.join(', ') || '-',
    ]);
    this.output.line(formatTable(['NAME', 'WORKLOADS', 'CLIENTS'], rows, process.stdout.isTTY && terminal().colours));
  }
}
