import { Args } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { formatDetails, toJson } from '../terminal/output.ts';

/** `gatehouse status`. */
export default class Status extends WorkloadCommand {
  static override summary = 'show one workload';
  static override examples = ['<%= config.bin %> status files', '<%= config.bin %> status files --json'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Status);
    const state = await this.workloads().getState(args.name);
    if (flags.json) this.output.json(toJson(state));
    else for (const line of formatDetails(state)) this.output.line(line);
  }
}
