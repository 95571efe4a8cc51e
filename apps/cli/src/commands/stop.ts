import { Args } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { selectionFlags } from '../flags/selection-flags.ts';
import { forEach, selectWorkloadNames } from '../services/each-workload.ts';

/** `gatehouse stop`. */
export default class Stop extends WorkloadCommand {
  static override summary = 'stop workloads; the start command starts them again';
  static override examples = ['<%= config.bin %> stop files', '<%= config.bin %> stop --all'];
  static override strict = false;
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of a workload; may be repeated' }),
  };
  static override flags = { ...selectionFlags };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Stop);
    const workloads = this.workloads();
    const selection = { names, all: flags.all, group: flags.group };
    const targets = selectWorkloadNames(workloads, selection, this.output.say);
    const done: { name: string; status: string }[] = [];
    await forEach(targets, this.output.say, async (name) => {
      await workloads.stop(name);
      done.push({ name, status: 'stopped' });
      if (!flags.json) this.output.line(name);
    }).finally(() => this.updateClients(workloads, targets));
    if (flags.json) this.output.json(done);
  }
}
