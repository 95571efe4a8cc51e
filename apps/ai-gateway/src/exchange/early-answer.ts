import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longest time for the rest of a body that is not used. */
const LINGER_MS = 10_000;

/**
 * Ends an answer whose head is not sent yet. A client that still sends its body reads the answer
 * only if its connection stays open meanwhile: the rest of the body is received and thrown away,
 * for at most 10 s, and then the connection is closed.
 */
export function endEarly(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.complete) {
    response.end(body);
    return;
  }
  // The rest of the body must not be taken for the next request.
  response.setHeader('connection', 'close');
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(timer));
  request.resume();
}
