import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** A tool of the conformance server. The same call serves both protocol eras. */
export interface FixtureTool {
  description: string;
  /** JSON Schema of the arguments, sent to clients unchanged; without it there are no arguments. */
  inputSchema?: Record<string, unknown>;
  call: (args: Record<string, unknown>, context: ServerContext) => ToolResult | Promise<ToolResult>;
}

/** Result of a tool: its content, or questions to the user. */
export type ToolResult = CallToolResult | InputRequiredResult;

/** A result with one text. */
export const answerText = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Returns what the client declared with its request; nothing before 2026-07-28. */
export function getDeclaredCapabilities({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}
