import { Args } from '@oclif/core';
import { ClientCommand, groupsFlag } from '../../base/client-command.ts';

/** `gatehouse client remove`. */
export default class ClientRemove extends ClientCommand {
  static override hiddenAliases = ['client:rm', 'client:delete'];
  static override summary = 'remove workloads from MCP clients, which no longer list them';
  static override description = `Removes the entries that Gatehouse has added to the configuration file of the client, and nothing else. The client itself stays.`;
  static override usage = 'client remove NAME... [--group GROUPS]';
  static override examples = [
    '<%= config.bin %> client remove cursor',
    '<%= config.bin %> client remove cursor --group office',
  ];
  static override strict = false;
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of a client; may be repeated' }),
  };
  static override flags = groupsFlag('groups of workloads, with commas between them (default: all groups)');

  async run(): Promise<void> {
    const { flags, names } = await this.read(ClientRemove);
    const { requireClient } = await import('../../services/clients/known-client.ts');
    const chosen = [...new Set(names)].map(requireClient);
    const clients = await this.clients();
    const groups = this.parseGroups(flags.group);
    const removed = await clients.unregister(chosen, groups);
    for (const [client, former] of removed)
      if (former.length === 0) this.output.say(`${client} is not registered for ${groups?.join(', ') ?? 'any group'}`);
    const changes = await this.updateAll(clients);
    if (flags.json) {
      const states = clients.list().filter(({ client }) => removed.has(client));
      this.output.json(states.map((state) => ({ ...state, removed_groups: removed.get(state.client) })));
      return;
    }
    for (const [client, former] of removed)
      if (former.length > 0) this.output.line(`${client} no longer lists ${former.join(', ')}`);
    await this.printChanges(changes);
  }
}
