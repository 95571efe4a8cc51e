import { Header } from '@gatehouse/mcp/headers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestBytes } from '../http/bytes-in-flight.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';

/** The part of a request that remains after its body is read. */
export type RequestHeaders = Pick<IncomingMessage, 'headers'>;

/** One HTTP request at the endpoint, its response, and the bytes that both hold. */
export interface HttpExchange {
  request: RequestHeaders;
  response: ServerResponse;
  held: RequestBytes;
  /**
   * Lets the replica with this address serve the request. It returns false if the replica could not
   * be reached. Undefined for a request that came from another replica.
   */
  forward: ((url: string, message?: unknown) => Promise<boolean>) | undefined;
}

/** The only value of a header; several values of the protocol's headers contradict each other. */
export function readHeader({ headers }: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The headers by which a posted message is classified. */
export const readPostedHeaders = (request: RequestHeaders) => ({
  protocolVersion: readHeader(request, Header.protocolVersion),
  method: readHeader(request, Header.method),
  name: readHeader(request, Header.name),
});

/** @throws HttpRefusalError 405 for a method that the endpoint does not have, such as HEAD */
export function checkHttpMethod({ method }: IncomingMessage): void {
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE')
    throw new HttpRefusalError(405, -32601, 'only POST, GET and DELETE are served here', {
      allow: 'POST, GET, DELETE',
    });
}

/**
 * A client must accept both forms of a response (MCP transports, sending messages).
 * @throws HttpRefusalError 406
 */
export function checkAccept({ headers: { accept = '' } }: IncomingMessage): void {
  if (accept.includes('*/*')) return;
  const isJson = accept.includes('application/json') || accept.includes('application/*');
  if (!isJson || !(accept.includes('text/event-stream') || accept.includes('text/*')))
    throw new HttpRefusalError(406, -32000, 'the Accept header must contain application/json and text/event-stream');
}

/** Answers a message that needs no response. */
export function accept({ response }: HttpExchange): void {
  if (!response.headersSent && !response.destroyed) response.writeHead(202, { 'content-length': 0 }).end();
}
