import { type McpUpstream, type McpUpstreamOptions, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { McpServer } from '@modelcontextprotocol/server';

/** The tool whose definition changes. */
export const PAY = 'pay';

type Registered = ReturnType<McpServer['registerTool']>;

/** A real MCP server with a tool whose description tests change. */
export class ChangingTools {
  private description = 'Pays a bill.';
  private readonly registered: Registered[] = [];
  private generation = 0;
  upstream!: McpUpstream;

  static async start(options: Pick<McpUpstreamOptions, 'eras' | 'port'> = {}): Promise<ChangingTools> {
    const tools = new ChangingTools();
    tools.upstream = await startMcpUpstream({ ...options, extend: (server) => tools.register(server) });
    return tools;
  }

  /** Changes the description, and announces the change. @param extra names of further tools */
  change(description: string, extra: readonly string[] = []): void {
    this.description = description;
    for (const tool of this.registered) tool.update({ description });
    this.upstream.setExtraTools(extra);
  }

  /** Changes the description to one that the server never had. */
  changeAgain(): string {
    this.generation += 1;
    const description = `Pays bill ${this.generation}.`;
    this.change(description);
    return description;
  }

  private register(server: McpServer): void {
    const tool = server.registerTool(PAY, { description: this.description }, () => ({
      content: [{ type: 'text', text: this.description }],
    }));
    this.registered.push(tool);
  }
}
