import { McpListCommand } from '../../base/mcp-list-command.ts';

/** `gatehouse mcp prompts`. */
export default class McpPrompts extends McpListCommand {
  static override hiddenAliases = ['mcp:list:prompts'];
  static override summary = 'list the prompts of a workload or of another MCP server';
  static override examples = ['<%= config.bin %> mcp prompts files', '<%= config.bin %> mcp prompts files --json'];
  protected override readonly member = 'prompts';
}
