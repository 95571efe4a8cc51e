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
import type { AuthorizedUse, Authorizer } from '../authorization/authorizer.ts';
import { FILTERED_LISTS, type FilteredList, findRule, type NamedThing } from '../authorization/methods.ts';
import { canBecomeTask, TaskOwners } from '../authorization/task-owners.ts';
import { ToolHints } from '../authorization/tool-hints.ts';
import { answerError } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';

/** The code of the JSON-RPC error, as other proxies have it. */
const FORBIDDEN = 403;

/** The knowledge that decisions need besides the request. */
interface Knowledge {
  readonly authorizer: Authorizer;
  readonly hints: ToolHints;
  readonly owners: TaskOwners;
}

const TASK_USES: ReadonlySet<AuthorizedUse> = new Set(['get_task', 'update_task', 'cancel_task']);

/** Creates the pass. */
export function createAuthorizationPass(authorizer: Authorizer): Pass {
  const knowledge = { authorizer, hints: new ToolHints(), owners: new TaskOwners() };
  return {
    name: 'authorization',
    enter(exchange) {
      const { message } = exchange;
      if (message?.kind === 'request' || message?.kind === 'notification') {
        const { method, params } = message.message;
        const id = message.kind === 'request' ? message.message.id : undefined;
        const rule = findRule(method, params, message.kind === 'request');
        if (rule.kind === 'list') readList(exchange, knowledge, rule.list);
        else if (rule.kind === 'refused') return refuse(exchange, id);
        else if (rule.kind === 'use') {
          const isAllowed = rule.things.every((thing) =>
            isPermitted(exchange, knowledge, thing, params?.['arguments']),
          );
          if (!isAllowed) return refuse(exchange, id);
          if (rule.list !== undefined) readList(exchange, knowledge, rule.list);
          if (method === 'tools/call' && canBecomeTask(params)) readTask(exchange, knowledge);
        }
      } else if (exchange.method === 'GET') readStream(exchange, knowledge);
      return 'next';
    },
  };
}

function isPermitted(
  { claims, subject }: Exchange,
  { authorizer, hints, owners }: Knowledge,
  { use, id }: NamedThing,
  args: unknown,
): boolean {
  if (TASK_USES.has(use) && owners.isForeign(id, subject)) return false;
  const tool = use === 'call_tool' ? hints.find(id) : undefined;
  return authorizer.allows({ claims, use, id, args, hints: tool });
}

function refuse({ response }: Exchange, id: RequestId | undefined): PassResult {
  answerError(response, 403, createErrorResponse(id, FORBIDDEN, 'Unauthorized'));
  return 'done';
}

/** The caller gets the id of a task only after its owner is known. */
function readTask(exchange: Exchange, { owners }: Knowledge): void {
  exchange.readAnswer(
    (answer) => {
      owners.learn(answer, exchange.subject);
      return answer;
    },
    { required: true },
  );
}

function readList(exchange: Exchange, knowledge: Knowledge, list: FilteredList): void {
  exchange.readAnswer(
    (answer) => {
      if (!('result' in answer)) return answer;
      if (Array.isArray(answer.result[list.member])) return filterList(answer, list, exchange, knowledge);
      const text = `The MCP server did not answer with a list of ${list.member}.`;
      return createErrorResponse(answer.id, ErrorCode.internalError, text);
    },
    { required: true },
  );
}

/** A resumed stream, and the stream of the SSE transport, can have the answer to any request. */
function readStream(exchange: Exchange, knowledge: Knowledge): void {
  exchange.readAnswer(
    (answer) => {
      if (!('result' in answer)) return answer;
      knowledge.owners.learn(answer, exchange.subject);
      const { result } = answer;
      return [...FILTERED_LISTS.values()]
        .filter(({ member }) => Array.isArray(result[member]))
        .reduce<RpcMessage>((changed, list) => filterList(changed, list, exchange, knowledge), answer);
    },
    { required: exchange.request.headers.accept?.includes(EVENT_STREAM) === true },
  );
}

/** @returns the same message where the caller may use all items */
function filterList(
  answer: RpcMessage,
  { member, id: idMember, use }: FilteredList,
  exchange: Exchange,
  knowledge: Knowledge,
): RpcMessage {
  if (!('result' in answer)) return answer;
  const items = answer.result[member] as unknown[];
  const shown = items.filter((item) => {
    const id = isJsonObject(item) ? item[idMember] : undefined;
    if (!isJsonObject(item) || typeof id !== 'string') return false;
    if (use === 'call_tool') knowledge.hints.learn(id, item);
    return isPermitted(exchange, knowledge, { use, id }, undefined);
  });
  if (shown.length === items.length) return answer;
  return { ...answer, result: { ...answer.result, [member]: shown } };
}
