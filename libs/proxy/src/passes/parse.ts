/**
 * Reads and parses the message of a request for the other passes. Where one decides on the message,
 * everything that the server could read differently is refused.
 */
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import { decodeHeaderValue, getMirroredName, Header } from '@gatehouse/mcp/headers';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { answerError, refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import { findRepeatedMember } from './repeated-members.ts';

const WITHOUT_MESSAGE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/**
 * Creates the pass that parses the body of each POST.
 * @param isStrict whether a pass decides on messages; otherwise passes only see them
 */
export function createParsePass(isStrict: boolean): Pass {
  return {
    name: 'parse',
    enter(exchange) {
      if (!isStrict) return hasJson(exchange) ? exchange.readMessage().then(() => 'next' as const) : 'next';
      const { request, response, method } = exchange;
      const { headers } = request;
      if (method === 'POST') return parsePost(exchange);
      const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
      if (WITHOUT_MESSAGE.has(method) && !hasBody) return 'next';
      refuse(
        response,
        405,
        ErrorCode.invalidRequest,
        'Only a POST can have a body; its method cannot be another one.',
        undefined,
        { allow: 'GET, HEAD, POST, DELETE, OPTIONS', ...(hasBody && { connection: 'close' }) },
      );
      return 'done';
    },
  };
}

/** Whether a request can have a message of MCP. */
function hasJson({ method, request: { headers } }: Exchange): boolean {
  return (
    method === 'POST' && JSON_TYPE.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
  );
}

async function parsePost(exchange: Exchange): Promise<PassResult> {
  const { request, response } = exchange;
  if (!hasJson(exchange)) {
    refuse(response, 415, ErrorCode.invalidRequest, 'The content type must be application/json, in UTF-8.', undefined, {
      connection: 'close',
    });
    return 'done';
  }
  const read = await exchange.readMessage();
  if (read.kind === 'invalid') {
    answerError(response, 400, read.error);
    return 'done';
  }
  const { message } = read;
  const repeated = findRepeatedMember((exchange.body ?? '').toString());
  const problem =
    repeated === undefined
      ? findContradiction(message, request.headers[Header.name])
      : { code: ErrorCode.invalidRequest, text: `The member ${JSON.stringify(repeated)} occurs twice; send it once.` };
  if (problem === undefined) return 'next';
  const id = read.kind === 'request' ? read.message.id : undefined;
  answerError(response, 400, createErrorResponse(id, problem.code, problem.text));
  return 'done';
}

/** A server can take the name from the header, while the passes take it from the body. */
function findContradiction(
  message: RpcMessage,
  header: string | string[] | undefined,
): { code: number; text: string } | undefined {
  const name = 'method' in message ? getMirroredName(message.method, message.params) : undefined;
  if (header === undefined || name === undefined) return undefined;
  if (typeof header === 'string' && decodeHeaderValue(header.trim()) === name) return undefined;
  return { code: ErrorCode.headerMismatch, text: 'The Mcp-Name header and the body have different names.' };
}
