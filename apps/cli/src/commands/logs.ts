import { Args, Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { showLogs } from '../services/logs.ts';

/** `gatehouse logs`. */
export default class Logs extends WorkloadCommand {
  static override summary = 'show the log of a server, or of its proxy';
  static override examples = ['<%= config.bin %> logs files -f', '<%= config.bin %> logs files --proxy'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
  };
  static override flags = {
    follow: Flags.boolean({ char: 'f', description: 'show new output until Ctrl-C' }),
    proxy: Flags.boolean({ description: "the proxy's log" }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Logs);
    const follow = flags.follow;
    const abort = this.interruption();
    await showLogs(this.workloads(), args.name, { follow, proxy: flags.proxy, abort });
  }
}
