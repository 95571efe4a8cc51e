import { ClientCommand, groupsFlag } from '../../base/client-command.ts';
import { yesFlag } from '../../base/base-command.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { ClientStatus } from '../../services/clients/workload-clients.ts';

/** `gatehouse client setup`. */
export default class ClientSetup extends ClientCommand {
  static override summary = 'choose the MCP clients of this machine that list your workloads';
  static override description = `Finds the clients by their folders and asks which of them list the running workloads of the groups. Without a terminal, --yes registers all of them.`;
  static override examples = [
    '<%= config.bin %> client setup',
    '<%= config.bin %> client setup --group office',
    '<%= config.bin %> client setup --yes',
  ];
  static override flags = {
    ...groupsFlag('groups of workloads, with commas between them (default: default)'),
    yes: { ...yesFlag.yes, description: 'register all clients that are found, without asking' },
  };

  async run(): Promise<void> {
    const { flags } = await this.read(ClientSetup);
    const clients = await this.clients();
    const found = clients.list().filter(({ installed }) => installed);
    if (found.length === 0) {
      this.output.say('No MCP client was found; gatehouse client register NAME registers one anyway');
      if (flags.json) this.output.json([]);
      return;
    }
    const ids = flags.yes ? found.map(({ client }) => client) : await this.choose(found);
    const { requireClient } = await import('../../services/clients/known-client.ts');
    if (ids.length > 0) await clients.register(ids.map(requireClient), this.parseGroups(flags.group) ?? ['default']);
    const changes = await this.updateAll(clients);
    const states = clients.list().filter(({ client }) => ids.includes(client));
    if (flags.json) {
      this.output.json(states);
      return;
    }
    if (ids.length === 0) {
      this.output.say('Nothing was changed');
      return;
    }
    for (const { client, groups } of states) this.output.line(`${client} lists ${groups.join(', ')}`);
    await this.printChanges(changes);
  }

  /** Asks which clients to register, until the answer can be read. */
  private async choose(found: readonly ClientStatus[]): Promise<string[]> {
    const { canAsk } = await import('../../terminal/choose.ts');
    if (!canAsk())
      throw new UsageError('Without a terminal, client setup needs --yes', [
        'gatehouse client setup --yes   registers all clients that are found',
        'gatehouse client register NAME   registers one',
      ]);
    const { askLine } = await import('../../terminal/ask-line.ts');
    const { parseChoice } = await import('../../services/clients/choose-clients.ts');
    const width = Math.max(...found.map(({ client }) => client.length));
    for (const [index, { client, label, groups }] of found.entries()) {
      const registered = groups.length === 0 ? '' : ` (lists ${groups.join(', ')})`;
      this.output.say(`${String(index + 1).padStart(3)}  ${client.padEnd(width)}  ${label}${registered}`);
    }
    for (;;) {
      const typed = await askLine('Clients to register (numbers or names, all, or Enter for none): ');
      const choice = parseChoice(typed, found);
      if ('ids' in choice) return choice.ids;
      this.output.say(`'${choice.unknown}' is not in the list`);
    }
  }
}
