import { Args, Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { UsageError } from '../errors/cli-error.ts';
import { writeExport } from '../services/export.ts';

/** `gatehouse export`. */
export default class Export extends WorkloadCommand {
  static override summary = 'export the configuration of a workload, for gatehouse run --from-config';
  static override description = `Prints the configuration, or writes it to PATH, which only you can read then. It contains references to secrets, but environment variables in clear.`;
  static override examples = [
    '<%= config.bin %> export files > files.json',
    '<%= config.bin %> export files backup/files.json',
    'ssh other gatehouse export files | <%= config.bin %> run --from-config -',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
    path: Args.string({ ignoreStdin: true, description: 'file to write (default: standard output)' }),
  };
  static override flags = {
    format: Flags.string({ default: 'json', description: 'json, the only format of this version' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(Export);
    if (flags.format !== 'json')
      throw new UsageError(`--format ${flags.format} is not a format of this version`, ['--format json']);
    const { document, suspects } = this.workloads().export(args.name);
    if (args.path === undefined || args.path === '-') this.output.json(JSON.parse(document));
    else {
      writeExport(args.path, document);
      if (flags.json) this.output.json({ name: args.name, path: args.path });
      else this.output.say(`${args.name} is exported to ${args.path}`);
    }
    if (suspects.length === 0) return;
    this.output.say(`Warning: the export shows variables that look like secrets: ${suspects.join(', ')}`);
    this.output.say('Try: gatehouse secret set NAME, and run with --secret NAME,target=VARIABLE instead');
  }
}
