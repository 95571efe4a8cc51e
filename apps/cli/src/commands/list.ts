import { Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { terminal } from '../config/config.ts';
import { formatAge, toJson } from '../terminal/output.ts';

/** `gatehouse list`. */
export default class List extends WorkloadCommand {
  static override hiddenAliases = ['ls', 'ps'];
  static override summary = 'list workloads';
  static override description = `Shows the workloads that run or should run, and starts a new proxy for a workload without one.`;
  static override examples = ['<%= config.bin %> list', '<%= config.bin %> list -a --json'];
  static override flags = {
    all: Flags.boolean({ char: 'a', description: 'also stopped and failed workloads' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(List);
    const workloads = this.workloads();
    const states = await workloads.list();
    const shown = states.filter(({ status }) => flags.all || !['stopped', 'error'].includes(status));
    if (flags.json) this.output.json(shown.map(toJson));
    else if (shown.length === 0) this.output.say(`No workloads ${flags.all ? '' : 'run'}`.trim());
    else {
      const { formatTable } = await import('../terminal/table.ts');
      const now = new Date();
      const rows = shown.map((one) => [
        one.name,
        one.status,
        one.url,
        one.transport_type,
        one.package,
        formatAge(one.created_at, now),
      ]);
      this.output.line(
        formatTable(
          ['NAME', 'STATUS', 'URL', 'TRANSPORT', 'IMAGE', 'CREATED'],
          rows,
          process.stdout.isTTY && terminal().colours,
        ),
      );
      for (const { name, status_context: context } of shown)
        if (context !== undefined) this.output.say(`${name}: ${context}`);
    }
    for (const name of workloads.recover(states)) this.output.say(`${name}: a new proxy is starting`);
  }
}
