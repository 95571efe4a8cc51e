import { callFlags, targetArgument } from '../../base/mcp-command.ts';
import { McpListCommand } from '../../base/mcp-list-command.ts';

/** `gatehouse mcp resources`. */
export default class McpResources extends McpListCommand {
  static override hiddenAliases = ['mcp:list:resources'];
  static override summary = 'list the resources of a workload or of another MCP server';
  static override examples = ['<%= config.bin %> mcp resources files', '<%= config.bin %> mcp resources files --json'];
  static override args = targetArgument;
  static override flags = callFlags('60s');

  async run(): Promise<void> {
    await this.showList('resources', await this.read(McpResources));
  }
}
