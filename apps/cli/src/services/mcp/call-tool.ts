import { isJsonObject, type JsonObject, type RpcNotification } from '@gatehouse/mcp/json-rpc';
import { nearest } from '../../errors/nearest.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { McpSession } from './mcp-session.ts';
import { parseToolArguments } from './tool-arguments.ts';

/** The call of a tool: its arguments as `key=value`, or as an object. */
export interface ToolCall {
  readonly tool: string;
  readonly typed: readonly string[];
  readonly args: JsonObject | undefined;
}

/**
 * Calls a tool. Progress and log messages of the server are shown.
 * @throws UsageError for an unknown tool, and for arguments that do not fit
 */
export async function callTool(session: McpSession, call: ToolCall, progress: Progress): Promise<JsonObject> {
  const { tool, typed, args } = call;
  const params = { name: tool, arguments: args ?? (await readArguments(session, tool, typed)) };
  return session.request('tools/call', params, (message) => showNotification(message, progress));
}

async function readArguments(session: McpSession, tool: string, typed: readonly string[]): Promise<JsonObject> {
  const tools = await session.list('tools');
  const definition = tools.find(({ name }) => name === tool);
  if (definition !== undefined) return parseToolArguments(typed, definition['inputSchema']);
  const names = tools.map(({ name }) => String(name));
  const near = nearest(tool, names);
  throw new UsageError(`The server has no tool '${tool}'`, near === undefined ? names : [near]);
}

function showNotification({ method, params }: RpcNotification, { step, note }: Progress): void {
  if (method === 'notifications/message') note(`${toText(params?.['level'])}: ${toText(params?.['data'])}`);
  if (method !== 'notifications/progress') return;
  const { progress, total, message } = params ?? {};
  const amount = total === undefined ? toText(progress) : `${toText(progress)} of ${toText(total)}`;
  step(typeof message === 'string' ? `${amount} ${message}` : amount);
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Formats the content of a result: texts as they are, other content in a line. */
export function formatContent(result: JsonObject): string[] {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  if (blocks.length === 0 && structuredContent !== undefined) return [JSON.stringify(structuredContent, null, 2)];
  return blocks.map(formatBlock);
}

function formatBlock(block: JsonObject): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (typeof data === 'string')
    return `[${toText(type)} ${toText(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes]`;
  if (type === 'resource_link') return `[resource ${String(uri)}]`;
  if (type === 'resource' && isJsonObject(resource)) {
    return typeof resource['text'] === 'string' ? resource['text'] : `[resource ${String(resource['uri'])}]`;
  }
  return JSON.stringify(block);
}
