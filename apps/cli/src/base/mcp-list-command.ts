import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { terminal } from '../config/config.ts';
import { printable } from '../terminal/output.ts';
import { McpCommand } from './mcp-command.ts';

/** The columns of each list, by the field of an item. */
const COLUMNS = {
  tools: ['name', 'description'],
  resources: ['uri', 'name', 'description'],
  prompts: ['name', 'description'],
} as const;

/** The parts of a command line that {@link McpListCommand.showList} uses. */
interface ListRequest {
  readonly args: { readonly target: string };
  readonly flags: { readonly timeout: string; readonly json: boolean };
}

/**
 * The base of commands that list what an MCP server offers. It has no static members: oclif would
 * then not look for the flags of its own base.
 */
export abstract class McpListCommand extends McpCommand {
  protected async showList(member: keyof typeof COLUMNS, { args, flags }: ListRequest): Promise<void> {
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
