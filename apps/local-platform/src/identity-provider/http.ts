import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_HEADERS } from './pages.ts';

/** Maximum size of a form or a token request in bytes. */
const BODY_LIMIT = 64 * 1024;

/** The body exceeds the limit. */
export class BodyTooLargeError extends GatehouseError {
  override readonly code = 'body_too_large';
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new BodyTooLargeError('the body is larger than 64 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(body);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/**
 * Normalizes the path of a request as the provider does: without query, in lower case, without a
 * trailing slash. A request target can be a whole URL (RFC 9112, section 3.2.2).
 */
export function normalizePath(target = '/'): string {
  const path = target.startsWith('/') ? target.split('?', 1)[0] : URL.parse(target)?.pathname;
  return (path ?? '/').toLowerCase().replace(/(?<=.)\/$/, '');
}
