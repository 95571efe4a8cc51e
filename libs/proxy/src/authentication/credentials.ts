import type { IncomingMessage } from 'node:http';

/** The credentials of a request. `malformed` has the reason; `none` means no bearer token. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string; readonly header: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly reason: string };

const BEARER = /^bearer(?: +(.*))?$/i;
const TOKEN = /^[\w.~+/-]+=*$/;

/**
 * Reads the access token of a request from its Authorization header (RFC 6750, section 2.1). Other
 * schemes are no credentials here. Tokens in the query are never read.
 * @param known a header that was read before, with its token, which saves the reading
 */
export function readCredentials(
  { headers, rawHeaders, url }: IncomingMessage,
  known: { readonly header: string; readonly token: string } | undefined,
): Credentials {
  const { authorization } = headers;
  if (authorization === undefined) return { kind: 'none' };
  if (countHeaders(rawHeaders, 'authorization') > 1)
    return { kind: 'malformed', reason: 'The request has several Authorization headers; send exactly one.' };
  const token = known?.header === authorization ? known.token : parseBearer(authorization);
  if (token === undefined) return { kind: 'none' };
  if (token === '') return { kind: 'malformed', reason: 'The Authorization header must be "Bearer" and one token.' };
  if (hasQueryToken(url ?? ''))
    return { kind: 'malformed', reason: 'The request has a token in its query too; send it in the header only.' };
  return { kind: 'token', token, header: authorization };
}

/** @returns the token; empty where it is malformed, undefined for another scheme */
function parseBearer(header: string): string | undefined {
  const bearer = BEARER.exec(header);
  if (bearer === null) return undefined;
  const [, token = ''] = bearer;
  return TOKEN.test(token) ? token : '';
}

/** Node keeps the first of several headers; another proxy could keep another one. */
function countHeaders(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

function hasQueryToken(target: string): boolean {
  const start = target.indexOf('?');
  return start !== -1 && new URLSearchParams(target.slice(start + 1)).has('access_token');
}
