import {
  type HandleRequestOptions,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { HttpRefusalError } from './http-refusal.ts';

/**
 * The transport of one session. The protocol layer finds the stream of a response by the request id
 * alone, so a request whose id is in use by a running request would take over its response. Such a
 * request is refused. The ids `1` and `"1"` are different ids (JSON-RPC 2.0, section 4).
 */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  private readonly running = new Set<RequestId>();

  /** @throws HttpRefusalError 400 for a request whose id is in use */
  override async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const id = getRequestId(options?.parsedBody);
    if (id === undefined) {
      const response = await super.handleRequest(request, options);
      this.releaseCancelled(options?.parsedBody);
      return response;
    }
    if (this.running.has(id))
      throw new HttpRefusalError(
        400,
        -32600,
        'a request with this id is still running in this session: use another id',
      );
    this.running.add(id);
    let response: Response | undefined;
    try {
      response = await super.handleRequest(request, options);
      return response;
    } finally {
      if (response === undefined || response.status >= 400) this.running.delete(id);
    }
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    try {
      await super.send(message, options);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.running.delete(message.id);
    }
  }

  /** A cancelled request gets no response: its stream ends and its id is free. */
  private releaseCancelled(body: unknown): void {
    if (!isObject(body) || body['method'] !== 'notifications/cancelled' || !isObject(body['params'])) return;
    const id = body['params']['requestId'];
    if ((typeof id === 'string' || typeof id === 'number') && this.running.delete(id)) this.closeSSEStream(id);
  }
}

function getRequestId(body: unknown): RequestId | undefined {
  if (!isObject(body) || typeof body['method'] !== 'string') return undefined;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
