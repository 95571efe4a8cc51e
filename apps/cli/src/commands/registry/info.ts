import { Args } from '@oclif/core';
import { RegistryCommand } from '../../base/registry-command.ts';
import { detailLines } from '../../terminal/detail-view.ts';

/** `gatehouse registry info`. */
export default class RegistryInfo extends RegistryCommand {
  static override summary = 'show a server of the registry, or the registry itself';
  static override description = `NAME is the full name of a server, or the part after its slash if no other server has it. With --json, a server is its entry in the format of server.json.`;
  static override usage = 'registry info [NAME]';
  static override examples = [
    '<%= config.bin %> registry info server-time',
    '<%= config.bin %> registry info io.github.brave/brave-search-mcp-server --json',
    '<%= config.bin %> registry info',
  ];
  static override args = { name: Args.string({ ignoreStdin: true, description: 'name of a server' }) };

  async run(): Promise<void> {
    const { flags, args } = await this.read(RegistryInfo);
    const { name } = args;
    const { describeRegistry, describeServer } = await import('../../views/registry-description.ts');
    const { value, details } =
      name === undefined
        ? await this.ask(describeRegistry)
        : await this.ask((registry) => describeServer(registry, name));
    if (flags.json) this.output.json(value);
    else for (const line of detailLines(details)) this.output.line(line);
  }
}
