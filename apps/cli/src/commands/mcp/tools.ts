import { callFlags, targetArgument } from '../../base/mcp-command.ts';
import { McpListCommand } from '../../base/mcp-list-command.ts';

/** `gatehouse mcp tools`. */
export default class McpTools extends McpListCommand {
  static override hiddenAliases = ['mcp:list:tools'];
  static override summary = 'list the tools of a workload or of another MCP server';
  static override description = `With --json, each tool is its whole definition.`;
  static override examples = [
    '<%= config.bin %> mcp tools files',
    '<%= config.bin %> mcp tools https://mcp.example.com/mcp --json',
  ];
  static override args = targetArgument;
  static override flags = callFlags('60s');

  async run(): Promise<void> {
    await this.showList('tools', await this.read(McpTools));
  }
}
