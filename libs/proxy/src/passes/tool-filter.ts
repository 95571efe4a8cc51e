/**
 * Offers a part of the tools of a server, under other names and descriptions where the rules have
 * them. Lists are changed in JSON answers, in streams and where a stream is resumed.
 */
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RpcErrorResponse } from '@gatehouse/mcp/errors';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { JsonObject, RpcMessage, RpcRequest } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';
import type { ToolRules } from '../tools/tool-names.ts';
import { ToolNames } from '../tools/tool-names.ts';

/** Creates the pass; its calls need the parsed message. */
export function createToolFilterPass(rules: ToolRules): Pass {
  const names = new ToolNames(rules);
  return {
    name: 'tool-filter',
    enter(exchange) {
      const { message } = exchange;
      if (message?.kind === 'request') {
        const { id, method, params } = message.message;
        if (method === 'tools/list') {
          exchange.readAnswer((answer) => filterList(names, answer, true), { required: true });
        } else if (method === 'tools/call') {
          const name = params?.['name'];
          const serverName = typeof name === 'string' ? names.findServerName(name) : undefined;
          if (serverName === undefined) {
            const text = typeof name === 'string' ? `Unknown tool: ${name}` : 'The member "name" must be a string.';
            exchange.answer(200, createErrorResponse(id, ErrorCode.invalidParams, text));
            return 'done';
          }
          if (serverName !== name) renameCall(exchange, serverName);
          exchange.checkChanges((changed) => checkCall(names, changed));
        }
      } else if (exchange.method === 'GET') {
        // A resumed stream can have the answer to an earlier tools/list. Other pages of the server
        // pass unread.
        const required = exchange.request.headers.accept?.includes(EVENT_STREAM) === true;
        exchange.readAnswer((answer) => filterList(names, answer, false), { required });
      }
      return 'next';
    },
  };
}

/** A changed call has the server's name of a tool, which clients must see too. */
function checkCall(names: ToolNames, { id, params }: RpcRequest): RpcErrorResponse | undefined {
  const name = params?.['name'];
  if (typeof name === 'string' && names.findView(name) !== undefined) return undefined;
  return createErrorResponse(id, ErrorCode.invalidParams, 'The called tool is hidden');
}

function renameCall(exchange: Exchange, name: string): void {
  exchange.changeRequest((request) => ({ ...request, params: { ...request.params, name } }));
}

/** @param isList whether the result must be a list of tools; another one is not delivered */
function filterList(names: ToolNames, answer: RpcMessage, isList: boolean): RpcMessage {
  if (!('result' in answer)) return answer;
  const { tools } = answer.result;
  if (Array.isArray(tools))
    return { ...answer, result: { ...answer.result, tools: tools.flatMap((tool) => showTool(names, tool)) } };
  if (!isList) return answer;
  return createErrorResponse(answer.id, ErrorCode.internalError, 'The MCP server did not answer with a list of tools.');
}

function showTool(names: ToolNames, tool: unknown): JsonObject[] {
  if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return [];
  const view = names.findView(tool['name']);
  if (view === undefined) return [];
  return [{ ...tool, name: view.name, ...(view.description !== undefined && { description: view.description }) }];
}
