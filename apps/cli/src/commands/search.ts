import { Args } from '@oclif/core';
import { RegistryCommand } from '../base/registry-command.ts';
import { printable } from '../terminal/output.ts';

/** `gatehouse search`. */
export default class Search extends RegistryCommand {
  static override summary = 'find servers of the registry';
  static override description = `Finds the servers that have all words in their name, title, tags, tools or description.`;
  static override usage = 'search WORDS...';
  static override strict = false;
  static override examples = ['<%= config.bin %> search database', '<%= config.bin %> search web search --json'];
  static override args = { words: Args.string({ required: true, ignoreStdin: true, description: 'words to find' }) };

  async run(): Promise<void> {
    const { flags, names } = await this.read(Search);
    const { showServers } = await import('../views/registry-view.ts');
    const query = names.join(' ');
    const servers = await this.ask((registry) => registry.search(query));
    showServers(this.output, flags.json, servers, printable(`No server matches '${query}'`));
  }
}
