import { Args } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { selectionFlags } from '../flags/selection-flags.ts';
import { toJson } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { forEach, selectWorkloadNames } from '../services/each-workload.ts';

/** `gatehouse start`. */
export default class Start extends WorkloadCommand {
  static override summary = 'start workloads that are stopped or failed, also after a restart of the machine';
  static override examples = ['<%= config.bin %> start files', '<%= config.bin %> start --all'];
  static override strict = false;
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of a workload; may be repeated' }),
  };
  static override flags = { ...selectionFlags };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Start);
    const workloads = this.workloads();
    const targets = selectWorkloadNames(workloads, { names, all: flags.all, group: flags.group });
    const abort = this.interruption();
    const done: object[] = [];
    await forEach(targets, this.output.say, async (name) => {
      abort.throwIfAborted();
      const state = await withProgress(`Starting ${name}`, ({ step, note }) =>
        workloads.start(name, {
          progress: step,
          warn: (text) => note(`Warning: ${text}`),
          abort,
        }),
      );
      done.push(toJson(state));
      if (!flags.json) this.output.line(`${state.name} ${state.url}`);
    }).finally(() => this.updateClients(workloads, targets));
    abort.throwIfAborted();
    if (flags.json) this.output.json(done);
  }
}
