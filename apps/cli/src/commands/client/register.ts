import { Args } from '@oclif/core';
import { ClientCommand, groupsFlag } from '../../base/client-command.ts';

/** `gatehouse client register`. */
export default class ClientRegister extends ClientCommand {
  static override summary = 'make MCP clients list the running workloads of groups';
  static override description = `Adds each running workload to the configuration file of the client, and removes it there when it stops. Comments and all other settings of the file stay as they are.`;
  static override usage = 'client register NAME... [--group GROUPS]';
  static override examples = [
    '<%= config.bin %> client register cursor',
    '<%= config.bin %> client register claude-code codex --group default,office',
  ];
  static override strict = false;
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of a client; may be repeated' }),
  };
  static override flags = groupsFlag('groups of workloads, with commas between them (default: default)');

  async run(): Promise<void> {
    const { flags, names } = await this.read(ClientRegister);
    const { requireClient } = await import('../../services/clients/known-client.ts');
    const chosen = [...new Set(names)].map(requireClient);
    const groups = this.parseGroups(flags.group) ?? ['default'];
    const clients = await this.clients();
    await clients.register(chosen, groups);
    const changes = await this.updateAll(clients);
    const ids = new Set(chosen.map(({ id }) => id));
    const states = clients.list().filter(({ client }) => ids.has(client));
    for (const { client, installed, file } of states) {
      if (!installed) this.output.say(`Warning: ${client} was not found on this machine; its servers are in ${file}`);
    }
    if (flags.json) {
      this.output.json(states);
      return;
    }
    for (const { client, groups: registered } of states) this.output.line(`${client} lists ${registered.join(', ')}`);
    await this.printChanges(changes);
  }
}
