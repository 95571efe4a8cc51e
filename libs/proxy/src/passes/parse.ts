/**
 * Reads and parses the message of a request for the other passes. Where one decides on the message,
 * everything that the server could read differently is refused.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import { decodeHeaderValue, getMirroredName, Header } from '@gatehouse/mcp/headers';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { hasJsonBody, refuseBodyForm } from '../pipeline/json-body.ts';
import { answerError, refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import { type AmbiguousMember, findAmbiguousMember } from './ambiguous-members.ts';

const WITHOUT_MESSAGE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * Creates the pass that parses the body of each POST.
 * @param isStrict whether a pass decides on messages; otherwise passes only see them
 */
export function createParsePass(isStrict: boolean): Pass {
  return {
    name: 'parse',
    enter(exchange) {
      if (!isStrict) return canHaveMessage(exchange) ? exchange.readMessage().then(() => 'next' as const) : 'next';
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

/** Whether a server can find a message in a request. Some servers ignore the content type. */
const canHaveMessage = ({ method, request: { headers } }: Exchange): boolean =>
  method === 'POST' && headers['content-encoding'] === undefined;

async function parsePost(exchange: Exchange): Promise<PassResult> {
  const { request, response } = exchange;
  if (!hasJsonBody(request.headers)) {
    refuseBodyForm(response);
    return 'done';
  }
  const read = await exchange.readMessage();
  if (read.kind === 'invalid') {
    answerError(response, 400, read.error);
    return 'done';
  }
  const ambiguous = findAmbiguousMember((exchange.body ?? '').toString());
  const problem = ambiguous === undefined ? findContradiction(read.message, request.headers) : describe(ambiguous);
  if (problem === undefined) return 'next';
  const id = read.kind === 'request' ? read.message.id : undefined;
  answerError(response, 400, createErrorResponse(id, problem.code, problem.text));
  return 'done';
}

/** The error to answer. */
interface Problem {
  readonly code: number;
  readonly text: string;
}

function describe({ name, isRepeated }: AmbiguousMember): Problem {
  const member = `The member ${JSON.stringify(name)}`;
  const text = isRepeated ? `${member} occurs twice; send it once.` : `${member} must be in lower case.`;
  return { code: ErrorCode.invalidRequest, text };
}

/**
 * A server can take method and name from the headers, while the passes take them from the body. It
 * can also run a call of a tool without an id, which the passes take for a notification.
 */
function findContradiction(message: RpcMessage, headers: IncomingHttpHeaders): Problem | undefined {
  if (!('method' in message)) return undefined;
  const { method, params } = message;
  if (!('id' in message) && method.startsWith('tools/'))
    return { code: ErrorCode.invalidRequest, text: `${method} is a request and needs the member "id".` };
  const header = headers[Header.method];
  if (header !== undefined && header !== method)
    return { code: ErrorCode.headerMismatch, text: 'The Mcp-Method header and the body have different methods.' };
  const name = headers[Header.name];
  const mirrored = getMirroredName(method, params);
  if (name === undefined || mirrored === undefined) return undefined;
  if (typeof name === 'string' && decodeHeaderValue(name.trim()) === mirrored) return undefined;
  return { code: ErrorCode.headerMismatch, text: 'The Mcp-Name header and the body have different names.' };
}
