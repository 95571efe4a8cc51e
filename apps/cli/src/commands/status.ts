import { Args } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { toJson } from '../terminal/output.ts';
import { formatStatus } from '../views/status-view.ts';

/** `gatehouse status`. */
export default class Status extends WorkloadCommand {
  static override summary = 'show one workload';
  static override examples = ['<%= config.bin %> status files', '<%= config.bin %> status files --json'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Status);
    const workloads = this.workloads();
    const state = await workloads.getState(args.name);
    const clients = workloads.groups.find(state.group)?.registered_clients ?? [];
    if (flags.json) this.output.json({ ...toJson(state), clients });
    else for (const line of formatStatus(state, clients, new Date())) this.output.line(line);
  }
}
