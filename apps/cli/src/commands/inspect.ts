import { Args, Flags } from '@oclif/core';
import type { RequestRecord } from '@gatehouse/proxy/recording/request-record';
import { printable } from '../terminal/output.ts';
import { WorkloadCommand } from '../base/workload-command.ts';

/** `gatehouse inspect`. */
export default class Inspect extends WorkloadCommand {
  static override summary = 'show the last requests to a workload: clients, methods, tools, times';
  static override description = `The proxy keeps the last 100 requests in memory, without arguments, results and headers. Times are UTC; IN and OUT are bytes. A stream is shown when it ends. With --follow and --json, each request is a JSON document in a line.`;
  static override examples = [
    '<%= config.bin %> inspect files',
    '<%= config.bin %> inspect files --follow',
    '<%= config.bin %> inspect files --json',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
  };
  static override flags = {
    follow: Flags.boolean({ char: 'f', description: 'show later requests too, until Ctrl-C' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Inspect);
    const { formatRequest, REQUEST_HEAD } = await import('../views/request-view.ts');
    const { follow, json } = flags;
    const records: RequestRecord[] = [];
    let count = 0;
    const show = (record: RequestRecord) => {
      count += 1;
      if (!json && count === 1) this.output.say(REQUEST_HEAD);
      if (json && !follow) records.push(record);
      else this.output.line(json ? printable(JSON.stringify(record)) : formatRequest(record));
    };
    await this.workloads().inspect(args.name, { follow, abort: this.interruption() }, show);
    if (json && !follow) this.output.json(records);
    else if (!json && count === 0) this.output.say(`No requests to ${args.name} since its proxy started`);
  }
}
