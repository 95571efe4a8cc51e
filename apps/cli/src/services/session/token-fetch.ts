import { CommandFailedError, type CliError } from '../../errors/cli-error.ts';
import type { TokenSource } from './access.ts';
import { fetchBuffered } from './buffered-fetch.ts';

/** Sends a request that has all its headers. */
type Send = (request: Request) => Promise<Response>;

/** Sends a request with the caller's token. @throws CliError when the service does not answer */
export type TokenFetch = (request: Request, send?: Send) => Promise<Response>;

/** The time limit of one response, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The time limit for the start of a response of any length, in milliseconds. */
const START_TIMEOUT_MS = 150_000;

/**
 * Creates a function that sends requests with the tokens of `tokens`. A rejected token is replaced
 * once.
 * @param toUnreachableError the error for a service that does not answer
 */
export function createTokenFetch(tokens: TokenSource, toUnreachableError: (cause: unknown) => CliError): TokenFetch {
  const sendOnce = async (request: Request, token: string, send: Send): Promise<Response> => {
    // The message must not repeat a text that is not valid in a header.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandFailedError('The access token contains invalid characters');
    request.headers.set('authorization', `Bearer ${token}`);
    try {
      return await send(request);
    } catch (cause) {
      throw toUnreachableError(cause);
    }
  };
  return async (request, send = sendBuffered) => {
    const again = request.clone();
    const token = await tokens.current();
    const response = await sendOnce(request, token, send);
    if (response.status !== 401) return response;
    const other = await tokens.instead(token);
    if (other === undefined) return response;
    await response.body?.cancel();
    return sendOnce(again, other, send);
  };
}

/** Resolves when the response is complete. A redirect could send the token to any address. */
const sendBuffered: Send = (request) =>
  fetchBuffered(request, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Limits the time until the response starts. Its duration depends on the reader. */
export const sendStreamed: Send = async (request) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('the response did not start in time')), START_TIMEOUT_MS);
  try {
    return await fetch(request, { redirect: 'error', signal: AbortSignal.any([request.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
};
