import { createErrorResponse, ErrorCode, type RpcErrorResponse } from '@gatehouse/mcp/errors';
import { Header } from '@gatehouse/mcp/headers';
import { isJsonObject, type JsonObject, type RpcMessage, type RpcRequest } from '@gatehouse/mcp/json-rpc';
import { createParamHeaders, findParamMismatch, hasMarkedArguments } from '@gatehouse/mcp/param-headers';
import { isModernRevision } from '@gatehouse/mcp/revisions';
import type { Exchange } from '../pipeline/exchange.ts';

/** The number of tools whose schemas are kept. */
const MAX_TOOLS = 10_000;
const PREFIX = 'mcp-param-';

/**
 * Lets the `Mcp-Param-*` headers of a call mirror arguments that a webhook has changed (MCP
 * 2026-07-28, streamable HTTP, custom headers). The schemas come from the lists that clients asked
 * for. Without one the headers are dropped; the server may refuse the call, and its client then
 * asks for the list.
 */
export class ParamHeaders {
  /** Input schemas that mark arguments, by the server's name of the tool. */
  private readonly schemas = new Map<string, JsonObject>();

  /** Keeps the schemas of the answer to `tools/list`. */
  learn(answer: RpcMessage): void {
    const tools = 'result' in answer ? answer.result['tools'] : undefined;
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      const { name, inputSchema } = tool;
      this.schemas.delete(name);
      if (isJsonObject(inputSchema) && hasMarkedArguments(inputSchema)) this.schemas.set(name, inputSchema);
      const [oldest] = this.schemas.keys();
      if (this.schemas.size > MAX_TOOLS && oldest !== undefined) this.schemas.delete(oldest);
    }
  }

  /**
   * Changes the headers of a changed call.
   * @returns the error for headers that contradict the message of the client
   */
  mirror(exchange: Exchange, before: RpcRequest, after: RpcRequest): RpcErrorResponse | undefined {
    const [sent, changed] = [readCall(before), readCall(after)];
    if (after.method !== 'tools/call' || JSON.stringify(sent) === JSON.stringify(changed)) return undefined;
    const { headers } = exchange.request;
    const version = headers[Header.protocolVersion];
    const isModern = typeof version === 'string' && isModernRevision(version);
    const contradiction =
      isModern &&
      findParamMismatch(this.schemas.get(sent.name), sent.values, (name) => {
        const value = headers[name];
        return typeof value === 'string' ? value : undefined;
      });
    if (typeof contradiction === 'string') {
      const text = `The ${contradiction} header and the arguments have different values.`;
      return createErrorResponse(before.id, ErrorCode.headerMismatch, text);
    }
    for (const name of Object.keys(headers)) if (name.startsWith(PREFIX)) exchange.changeHeader(name, undefined);
    if (!isModern) return undefined;
    const mirrored = createParamHeaders(this.schemas.get(changed.name), changed.values);
    for (const [name, value] of Object.entries(mirrored)) exchange.changeHeader(name, value);
    return undefined;
  }
}

interface Call {
  readonly name: string;
  readonly values: JsonObject | undefined;
}

function readCall({ params }: RpcRequest): Call {
  const { name, arguments: values } = params ?? {};
  return { name: typeof name === 'string' ? name : '', values: isJsonObject(values) ? values : undefined };
}
