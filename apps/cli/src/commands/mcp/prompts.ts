import { callFlags, targetArgument } from '../../base/mcp-command.ts';
import { McpListCommand } from '../../base/mcp-list-command.ts';

/** `gatehouse mcp prompts`. */
export default class McpPrompts extends McpListCommand {
  static override hiddenAliases = ['mcp:list:prompts'];
  static override summary = 'list the prompts of a workload or of another MCP server';
  static override examples = ['<%= config.bin %> mcp prompts files', '<%= config.bin %> mcp prompts files --json'];
  static override args = targetArgument;
  static override flags = callFlags('60s');

  async run(): Promise<void> {
    await this.showList('prompts', await this.read(McpPrompts));
  }
}
