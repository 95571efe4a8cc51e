import { Args, Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { selectionFlags } from '../flags/selection-flags.ts';
import { managerEnvironment } from '../config/config.ts';
import { lazyBrowser } from '../services/session/lazy-browser.ts';
import { UsageError } from '../errors/cli-error.ts';
import { toJson } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { forEach, selectWorkloadNames } from '../services/each-workload.ts';

/** `gatehouse start`. */
export default class Start extends WorkloadCommand {
  static override summary = 'start workloads that are stopped or failed, also after a restart of the machine';
  static override description = `--all leaves out the workloads that a command has stopped: after a restart of the machine, it starts those that ran. A name and --group start a stopped workload.`;
  static override examples = [
    '<%= config.bin %> start files',
    '<%= config.bin %> start --group office',
    '<%= config.bin %> start --all',
    '<%= config.bin %> start --all --stopped',
  ];
  static override strict = false;
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of a workload; may be repeated' }),
  };
  static override flags = {
    ...selectionFlags,
    stopped: Flags.boolean({ description: 'with --all: also the workloads that a command has stopped' }),
  };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Start);
    const workloads = this.workloads();
    const selection = { names, all: flags.all, group: flags.group };
    const selected = selectWorkloadNames(workloads, selection, this.output.say);
    if (flags.stopped && !flags.all) throw new UsageError('--stopped is for --all; a name starts a stopped workload');
    const toRun = new Set(flags.all && !flags.stopped ? workloads.listNamesToRun() : selected);
    const targets = selected.filter((name) => toRun.has(name));
    const stopped = selected.filter((name) => !toRun.has(name));
    if (stopped.length > 0) this.output.say(`Not started, because a command has stopped them: ${stopped.join(', ')}`);
    const abort = this.interruption();
    const desktop = managerEnvironment();
    const done: object[] = [];
    await forEach(targets, this.output.say, async (name) => {
      abort.throwIfAborted();
      const state = await withProgress(`Starting ${name}`, ({ step, note }) =>
        workloads.start(name, {
          progress: step,
          warn: (text) => note(`Warning: ${text}`),
          // After a restart of the machine there may be no person.
          ...(names.length > 0 && { browser: lazyBrowser(desktop, note) }),
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
