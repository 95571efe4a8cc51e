import { Flags } from '@oclif/core';
import { ClientCommand } from '../../base/client-command.ts';
import { terminal } from '../../config/config.ts';

/** `gatehouse client status`. */
export default class ClientStatus extends ClientCommand {
  static override hiddenAliases = ['client:list', 'client:ls', 'client:list-registered'];
  static override summary = 'show the MCP clients of this machine, and the groups that they list';
  static override examples = ['<%= config.bin %> client status', '<%= config.bin %> client status --all --json'];
  static override flags = {
    all: Flags.boolean({ char: 'a', description: 'all known clients, also those that were not found here' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(ClientStatus);
    const all = (await this.clients()).list();
    const shown = all.filter(({ installed, groups }) => flags.all || installed || groups.length > 0);
    if (flags.json) {
      this.output.json(shown);
      return;
    }
    if (shown.length === 0) {
      this.output.say('No MCP client was found; --all shows the known ones');
      return;
    }
    const { formatTable } = await import('../../terminal/table.ts');
    const rows = shown.map(({ client, installed, groups, workloads, file }) => [
      client,
      installed ? 'yes' : 'no',
      groups.join(', ') || '-',
      workloads.join(', ') || '-',
      file,
    ]);
    const head = ['CLIENT', 'INSTALLED', 'GROUPS', 'WORKLOADS', 'FILE'];
    this.output.line(formatTable(head, rows, process.stdout.isTTY && terminal().colours));
  }
}
