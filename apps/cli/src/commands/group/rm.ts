import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../base/base-command.ts';
import { WorkloadCommand } from '../../base/workload-command.ts';

/** `gatehouse group rm`. */
export default class GroupRm extends WorkloadCommand {
  static override hiddenAliases = ['group:delete'];
  static override summary = 'remove a group of workloads';
  static override description = `Its workloads go to the group 'default' and keep running, or are removed with --with-workloads.`;
  static override examples = [
    '<%= config.bin %> group rm office',
    '<%= config.bin %> group rm office --with-workloads --yes',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the group' }),
  };
  static override flags = {
    'with-workloads': Flags.boolean({ description: 'also remove its workloads' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(GroupRm);
    const workloads = this.workloads();
    const removesWorkloads = flags['with-workloads'];
    const members = workloads.listMembersOfRemovable(args.name);
    const list = `${members.length === 1 ? 'workload' : 'workloads'} ${members.join(', ')}`;
    const effect =
      members.length === 0 ? '' : removesWorkloads ? ` with its ${list}` : ` and move its ${list} to the group default`;
    await this.confirmUnless(flags.yes, `Remove the group '${args.name}'${effect}?`);
    const secrets = removesWorkloads ? await workloads.listStoredSecrets(members) : [];
    const result = await workloads
      .removeGroup(args.name, removesWorkloads)
      .finally(() => this.finishRemoval(workloads, members, secrets));
    if (flags.json) this.output.json({ name: args.name, status: 'removed', ...result });
    else {
      for (const name of result.removed_workloads) this.output.say(`The workload ${name} is removed`);
      for (const name of result.moved_workloads) this.output.say(`The workload ${name} is in the group default`);
      this.output.line(args.name);
    }
  }
}
