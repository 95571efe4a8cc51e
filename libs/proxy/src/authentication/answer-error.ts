import type { ServerResponse } from 'node:http';

/** Answers with an error of OAuth. It has the same form for all statuses. */
export function answerOAuthError(
  response: ServerResponse,
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ error, error_description: description });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}
