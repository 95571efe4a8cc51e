import { Args } from '@oclif/core';
import { WorkloadCommand } from '../../base/workload-command.ts';

/** `gatehouse group create`. */
export default class GroupCreate extends WorkloadCommand {
  static override summary = 'create a group of workloads';
  static override description = `A name has lower-case letters, digits, _, - and single blanks between words. The group 'default' always exists.`;
  static override examples = [
    '<%= config.bin %> group create office',
    '<%= config.bin %> run owner/server --group office   (adds a workload)',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the group' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(GroupCreate);
    const group = await this.workloads().groups.create(args.name);
    if (flags.json) this.output.json(group);
    else this.output.line(group.name);
  }
}
