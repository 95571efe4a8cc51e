import { Args } from '@oclif/core';
import { yesFlag } from '../base/base-command.ts';
import { WorkloadCommand } from '../base/workload-command.ts';
import { selectionFlags } from '../flags/selection-flags.ts';
import { forEach, selectWorkloadNames } from '../services/each-workload.ts';

/** `gatehouse rm`. */
export default class Rm extends WorkloadCommand {
  static override summary = 'remove workloads with their containers, networks and files';
  static override description = 'Asks before it removes all workloads, or those of a group.';
  static override examples = [
    '<%= config.bin %> rm files',
    '<%= config.bin %> rm --group office',
    '<%= config.bin %> rm --all --yes',
  ];
  static override strict = false;
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of a workload; may be repeated' }),
  };
  static override flags = { ...selectionFlags, ...yesFlag };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Rm);
    const workloads = this.workloads();
    const selection = { names, all: flags.all, group: flags.group };
    const targets = selectWorkloadNames(workloads, selection, this.output.say);
    if (names.length === 0 && targets.length > 0) {
      const all = flags.all ? '' : ` of the group '${flags.group ?? ''}'`;
      const count = targets.length === 1 ? `the only workload${all}` : `all ${targets.length} workloads${all}`;
      await this.confirmUnless(flags.yes, `Remove ${count} (${targets.join(', ')})?`);
    }
    const secrets = await workloads.listStoredSecrets(targets);
    const done: { name: string; status: string }[] = [];
    await forEach(targets, this.output.say, async (name) => {
      await workloads.remove(name, this.output.say);
      done.push({ name, status: 'removed' });
      if (!flags.json) this.output.line(name);
    }).finally(() => this.finishRemoval(workloads, targets, secrets));
    if (flags.json) this.output.json(done);
  }
}
