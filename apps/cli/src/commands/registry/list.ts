import { Flags } from '@oclif/core';
import { RegistryCommand } from '../../base/registry-command.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse registry list`. */
export default class RegistryList extends RegistryCommand {
  static override hiddenAliases = ['registry:ls'];
  static override summary = 'list the servers of the registry';
  static override description = `Entries with an invalid field are left out; they are named on stderr. With --json, each server is its entry in the format of server.json.`;
  static override examples = [
    '<%= config.bin %> registry list',
    '<%= config.bin %> registry list --group office',
    '<%= config.bin %> registry list --json',
  ];
  static override flags = {
    group: Flags.string({ description: 'only the servers of a group of the registry' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(RegistryList);
    const { describeProblems, formatServerCount, showServers } = await import('../../views/registry-view.ts');
    const { servers, groups, problems } = await this.ask((registry) => registry.list());
    const group = groups.find(({ name }) => name === flags.group);
    if (flags.group !== undefined && group === undefined) {
      const names = groups.map(({ name }) => name).join(', ');
      throw new UsageError(
        `The registry has no group '${printable(flags.group)}'`,
        names === '' ? [] : [`--group with one of ${names}`],
      );
    }
    showServers(this.output, flags.json, group?.servers ?? servers, 'The registry has no servers');
    for (const line of describeProblems(problems)) this.output.say(line);
    if (!flags.json && group === undefined)
      for (const { name, servers: members } of groups)
        this.output.say(`Group ${name}: ${formatServerCount(members.length)}`);
  }
}
