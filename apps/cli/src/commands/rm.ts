import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../base/base-command.ts';
import { WorkloadCommand } from '../base/workload-command.ts';
import { forEach, selectWorkloadNames } from '../services/each-workload.ts';

/** `gatehouse rm`. */
export default class Rm extends WorkloadCommand {
  static override summary = 'remove workloads with their containers, networks and files';
  static override examples = ['<%= config.bin %> rm files', '<%= config.bin %> rm --all --yes'];
  static override strict = false;
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of a workload; may be repeated' }),
  };
  static override flags = { all: Flags.boolean({ description: 'all workloads; asks first' }), ...yesFlag };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Rm);
    const workloads = this.workloads();
    const targets = selectWorkloadNames(workloads, names, flags.all);
    if (flags.all && targets.length > 0) {
      const count = targets.length === 1 ? 'the only workload' : `all ${targets.length} workloads`;
      await this.confirmUnless(flags.yes, `Remove ${count} (${targets.join(', ')})?`);
    }
    const done: { name: string; status: string }[] = [];
    await forEach(targets, this.output.say, async (name) => {
      await workloads.remove(name);
      done.push({ name, status: 'removed' });
      if (!flags.json) this.output.line(name);
    });
    if (flags.json) this.output.json(done);
  }
}
