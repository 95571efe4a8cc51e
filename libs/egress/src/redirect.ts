import { EgressRefusalError } from './egress-refusal.ts';
import { readTarget } from './target.ts';

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly init: RequestInit;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Headers without credentials, which may go to another origin. Any other header may carry a
 * credential under any name (`x-api-key`).
 */
const CROSS_ORIGIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-request-id',
]);

/**
 * The request that follows a redirect (RFC 9110 section 15.4), or undefined when the response is
 * not a redirect. Another origin gets only headers without credentials. The body follows when the
 * method stays the same.
 *
 * @throws EgressRefusalError `redirect` from https to http, for a streamed body, or to an invalid
 * URL;
 * `malformed` for a target that `readTarget` refuses
 */
export function getNextHop(hop: Hop, status: number, location: string | null): Hop | undefined {
  if (!REDIRECTS.has(status) || location === null) return undefined;
  const url = parseTarget(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw new EgressRefusalError('redirect', `${hop.url.host} redirects from https to http`);
  const headers = new Headers(hop.init.headers);
  const { body, method, ...rest } = hop.init;
  if (url.origin !== hop.url.origin)
    for (const name of [...headers.keys()]) if (!CROSS_ORIGIN_HEADERS.has(name)) headers.delete(name);
  const requested = (method ?? 'GET').toUpperCase();
  const becomesGet = status === 303 ? requested !== 'HEAD' : (status === 301 || status === 302) && requested === 'POST';
  if (becomesGet) {
    for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language']) headers.delete(name);
    return { url, init: { ...rest, method: 'GET', headers } };
  }
  if (body instanceof ReadableStream)
    throw new EgressRefusalError('redirect', `${hop.url.host} redirects a request whose body was a stream`);
  return { url, init: { ...rest, method: requested, headers, ...(body == null ? {} : { body }) } };
}

function parseTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new EgressRefusalError('redirect', `${from.host} redirects to an invalid URL`);
  return readTarget(new URL(location, from).href.split('#')[0] ?? '');
}
