import { request as httpRequest } from 'node:http';

/** A request with any method, path and headers, also repeated ones. */
export interface RequestOptions {
  method: string;
  /** The target as written; default: the path of the URL. */
  path?: string;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** Sends a request that `fetch` would correct or refuse, and reads its response. */
export function sendRequest(
  url: string,
  { method, path = new URL(url).pathname, headers, body }: RequestOptions,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject).end(body);
  });
}
