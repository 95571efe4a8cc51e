/**
 * Sends requests and notifications to webhooks. Mutating ones change them before validating ones
 * decide. A changed message is checked again as the one of a client.
 */
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import { answerError } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { AskWebhooks, Webhooks } from '../webhooks/webhooks.ts';
import { findAmbiguousMember } from './ambiguous-members.ts';

/** Creates the passes of the webhooks that exist. */
export function createWebhookPasses({ mutate, validate }: Webhooks): Pass[] {
  return [
    ...(mutate === undefined ? [] : [createPass('mutating-webhooks', mutate)]),
    ...(validate === undefined ? [] : [createPass('validating-webhooks', validate)]),
  ];
}

function createPass(name: 'mutating-webhooks' | 'validating-webhooks', ask: AskWebhooks): Pass {
  return {
    name,
    enter(exchange) {
      const { message } = exchange;
      return message?.kind === 'request' || message?.kind === 'notification' ? send(exchange, ask) : 'next';
    },
  };
}

async function send(exchange: Exchange, ask: AskWebhooks): Promise<PassResult> {
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
  const refusal = change(exchange, verdict.text, id);
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
function change(exchange: Exchange, text: string, id: RequestId | undefined): ChangeRefusal | undefined {
  const changed = readMessage(text);
  if (changed.kind !== exchange.message?.kind || findAmbiguousMember(text) !== undefined)
    return { status: 500, error: createErrorResponse(id, ErrorCode.internalError, INVALID) };
  const error = exchange.replaceMessage(changed, text);
  return error === undefined ? undefined : { status: 200, error };
}
