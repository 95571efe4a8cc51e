/**
 * Refuses messages whose caller may not use the thing that they name, and shows of each list only
 * the items that the caller may use. It is inside of all passes that change requests, so that it
 * decides on what the server gets.
 */
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RequestId } from '@gatehouse/mcp/errors';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import type { Authorizer } from '../authorization/authorizer.ts';
import { FILTERED_LISTS, type FilteredList, findRule } from '../authorization/methods.ts';
import { ToolHints } from '../authorization/tool-hints.ts';
import { answerError } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';

/** The code of the JSON-RPC error, as other proxies have it. */
const FORBIDDEN = 403;

/** Creates the pass. */
export function createAuthorizationPass(authorizer: Authorizer): Pass {
  const hints = new ToolHints();
  return {
    name: 'authorization',
    enter(exchange) {
      const { message, claims } = exchange;
      if (message?.kind === 'request' || message?.kind === 'notification') {
        const { method, params } = message.message;
        const id = message.kind === 'request' ? message.message.id : undefined;
        const rule = findRule(method, params, message.kind === 'request');
        if (rule.kind === 'list') readList(exchange, authorizer, hints, rule.list);
        else if (rule.kind === 'refused') return refuse(exchange, id);
        else if (rule.kind === 'use') {
          const { use } = rule;
          if (rule.id === undefined) return refuse(exchange, id);
          const tool = use === 'call_tool' ? hints.find(rule.id) : undefined;
          if (!authorizer.allows({ claims, use, id: rule.id, args: params?.['arguments'], hints: tool }))
            return refuse(exchange, id);
          if (rule.list !== undefined) readList(exchange, authorizer, hints, rule.list);
        }
      } else if (exchange.method === 'GET') readStream(exchange, authorizer, hints);
      return 'next';
    },
  };
}

function refuse({ response }: Exchange, id: RequestId | undefined): PassResult {
  answerError(response, 403, createErrorResponse(id, FORBIDDEN, 'Unauthorized'));
  return 'done';
}

function readList(exchange: Exchange, authorizer: Authorizer, hints: ToolHints, list: FilteredList): void {
  const { claims } = exchange;
  exchange.readAnswer(
    (answer) => {
      if (!('result' in answer)) return answer;
      if (Array.isArray(answer.result[list.member])) return filterList(answer, list, { authorizer, hints, claims });
      const text = `The MCP server did not answer with a list of ${list.member}.`;
      return createErrorResponse(answer.id, ErrorCode.internalError, text);
    },
    { required: true },
  );
}

/** A resumed stream, and the stream of the SSE transport, can have the answer to any list. */
function readStream(exchange: Exchange, authorizer: Authorizer, hints: ToolHints): void {
  const { claims } = exchange;
  exchange.readAnswer(
    (answer) => {
      if (!('result' in answer)) return answer;
      const { result } = answer;
      return [...FILTERED_LISTS.values()]
        .filter(({ member }) => Array.isArray(result[member]))
        .reduce<RpcMessage>((changed, list) => filterList(changed, list, { authorizer, hints, claims }), answer);
    },
    { required: exchange.request.headers.accept?.includes(EVENT_STREAM) === true },
  );
}

/** @returns the same message where the caller may use all items */
function filterList(
  answer: RpcMessage,
  { member, id: idMember, use }: FilteredList,
  { authorizer, hints, claims }: { authorizer: Authorizer; hints: ToolHints; claims: Exchange['claims'] },
): RpcMessage {
  if (!('result' in answer)) return answer;
  const items = answer.result[member] as unknown[];
  const shown = items.filter((item) => {
    const id = isJsonObject(item) ? item[idMember] : undefined;
    if (!isJsonObject(item) || typeof id !== 'string') return false;
    const known = use === 'call_tool' ? hints.learn(id, item) : undefined;
    return authorizer.allows({ claims, use, id, hints: known });
  });
  if (shown.length === items.length) return answer;
  return { ...answer, result: { ...answer.result, [member]: shown } };
}
