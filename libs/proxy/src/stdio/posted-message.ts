/** Checks of a message that a client posts to a stdio server. */
import { classifyPost, type Classification } from '@gatehouse/mcp/classify';
import { Header } from '@gatehouse/mcp/headers';
import type { ReadMessage, RpcNotification, RpcRequest } from '@gatehouse/mcp/json-rpc';
import { answerError } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { hasJsonBody, refuseBodyForm } from '../pipeline/json-body.ts';

/** Reads the message of a POST. @returns undefined after a refusal */
export async function readPostedMessage(
  exchange: Exchange,
): Promise<Exclude<ReadMessage, { kind: 'invalid' }> | undefined> {
  const { request, response } = exchange;
  if (!hasJsonBody(request.headers)) {
    refuseBodyForm(response);
    return undefined;
  }
  const read = await exchange.readMessage();
  if (read.kind !== 'invalid') return read;
  answerError(response, 400, read.error);
  return undefined;
}

/** Classifies a message and the headers of its request by protocol era. */
export function classifyExchange(
  { request: { headers }, mirroredName }: Exchange,
  message: RpcRequest | RpcNotification,
  supported?: readonly string[],
): Classification {
  const posted = {
    protocolVersion: joinValues(headers[Header.protocolVersion]),
    method: joinValues(headers[Header.method]),
    name: mirroredName ?? joinValues(headers[Header.name]),
  };
  return classifyPost(posted, message, supported);
}

/** Joins the values of a repeated header, as one that has them all. */
export function joinValues(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
