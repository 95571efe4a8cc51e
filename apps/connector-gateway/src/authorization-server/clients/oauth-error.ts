import type { ServerResponse } from 'node:http';

/** Sends an error of OAuth as JSON (RFC 6749, section 5.2). The connection ends with it. */
export function sendOAuthError(response: ServerResponse, status: number, error: string, description: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' })
    .end(JSON.stringify({ error, error_description: description }));
}
