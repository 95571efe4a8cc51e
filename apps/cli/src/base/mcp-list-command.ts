import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { terminal } from '../config/config.ts';
import { printable } from '../terminal/output.ts';
import { callFlags, McpCommand, targetArgument } from './mcp-command.ts';

/** The columns of each list, by the field of an item. */
const COLUMNS = {
  tools: ['name', 'description'],
  resources: ['uri', 'name', 'description'],
  prompts: ['name', 'description'],
} as const;

/** The base of commands that list what an MCP server offers. */
export abstract class McpListCommand extends McpCommand {
  static override args = targetArgument;
  static override flags = callFlags('60s');

  /** The list that the command shows. */
  protected abstract readonly member: keyof typeof COLUMNS;

  async run(): Promise<void> {
    const { flags, args } = await this.read(McpListCommand);
    const { member } = this;
    const items = await this.call(args.target, flags.timeout, (session) => session.list(member));
    if (flags.json) {
      this.output.json(items);
      return;
    }
    if (items.length === 0) {
      this.output.say(`The server has no ${member}`);
      return;
    }
    const { formatTable } = await import('../terminal/table.ts');
    const columns = COLUMNS[member];
    const rows = items.map((item) => columns.map((column) => formatCell(item, column)));
    const head = columns.map((column) => column.toUpperCase());
    this.output.line(formatTable(head, rows, process.stdout.isTTY && terminal().colours));
  }
}

/** The first line of a field. */
function formatCell(item: JsonObject, field: string): string {
  const value = item[field];
  return typeof value === 'string' ? printable(value.trim().split('\n', 1)[0] ?? '') : '';
}
