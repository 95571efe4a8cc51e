/**
 * Sends requests and notifications to webhooks. Mutating ones change them before validating ones
 * decide. A changed message is checked again as the one of a client.
 */
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';
import { type ReadMessage, readMessage } from '@gatehouse/mcp/json-rpc';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';
import { answerError } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import { ParamHeaders } from './param-headers.ts';
import type { AskWebhooks, Webhooks } from '../webhooks/webhooks.ts';
import { findAmbiguousMember } from './ambiguous-members.ts';

/** Creates the passes of the webhooks that exist. */
export function createWebhookPasses({ mutate, validate }: Webhooks): Pass[] {
  return [
    ...(mutate === undefined ? [] : [createPass('mutating-webhooks', mutate, new ParamHeaders())]),
    ...(validate === undefined ? [] : [createPass('validating-webhooks', validate, undefined)]),
  ];
}

/** @param params undefined for webhooks that change nothing */
function createPass(
  name: 'mutating-webhooks' | 'validating-webhooks',
  ask: AskWebhooks,
  params: ParamHeaders | undefined,
): Pass {
  return {
    name,
    enter(exchange) {
      const { message } = exchange;
      if (message?.kind !== 'request' && message?.kind !== 'notification') return 'next';
      if (params !== undefined && message.message.method === 'tools/list') learn(exchange, params);
      return send(exchange, ask, params);
    },
  };
}

function learn(exchange: Exchange, params: ParamHeaders): void {
  exchange.observeAnswer({ observe: (answer) => params.learn(answer) });
}

async function send(exchange: Exchange, ask: AskWebhooks, params: ParamHeaders | undefined): Promise<PassResult> {
  const { request, response, claims, body, message } = exchange;
  const id = message?.kind === 'request' ? message.message.id : undefined;
  const text = (body ?? '').toString();
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  const { remoteAddress = '', remotePort = 0 } = request.socket;
  const source = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
  const verdict = await ask({ text, claims, source, signal: left.signal });
  response.off('close', leave);
  if (left.signal.aborted) return 'done';
  if (verdict.kind === 'refused') {
    answerError(response, verdict.status, createErrorResponse(id, verdict.code, verdict.message));
    return 'done';
  }
  if (verdict.text === text) return 'next';
  const refusal = change(exchange, verdict.text, params, id);
  if (refusal === undefined) return 'next';
  answerError(response, refusal.status, refusal.error);
  return 'done';
}

const INVALID = 'A webhook has made the message invalid';

/** The answer in the place of a changed message. */
interface ChangeRefusal {
  readonly status: number;
  readonly error: RpcErrorResponse;
}

/** @returns the refusal of a change that a client could not have sent either */
function change(
  exchange: Exchange,
  text: string,
  params: ParamHeaders | undefined,
  id: RequestId | undefined,
): ChangeRefusal | undefined {
  const changed = readMessage(text);
  const { message } = exchange;
  if (changed.kind !== message?.kind || findAmbiguousMember(text) !== undefined || !isSameRevision(message, changed))
    return { status: 500, error: createErrorResponse(id, ErrorCode.internalError, INVALID) };
  const error = exchange.replaceMessage(changed, text);
  if (error !== undefined) return { status: 200, error };
  if (message.kind !== 'request' || changed.kind !== 'request') return undefined;
  const contradiction = params?.mirror(exchange, message.message, changed.message);
  return contradiction === undefined ? undefined : { status: 400, error: contradiction };
}

/** The header MCP-Protocol-Version mirrors the revision, and passes have decided by it. */
const isSameRevision = (message: ReadMessage, changed: ReadMessage): boolean =>
  getRevision(message) === getRevision(changed);

const getRevision = (read: ReadMessage): unknown =>
  read.kind === 'request' || read.kind === 'notification'
    ? getMeta(read.message.params)?.[MetaKey.protocolVersion]
    : undefined;
