import { EgressRefusal } from './egress-refusal.ts';
import { readTarget } from './target.ts';

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly init: RequestInit;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Headers that may go to another origin too: they say how to talk. Any other may carry a
 * credential, whatever it is called (`x-api-key`).
 */
const HARMLESS: ReadonlySet<string> = new Set([
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
 * The request that follows a redirect (RFC 9110 section 15.4), or undefined when the answer is
 * none. To another origin only headers follow that carry no credential; a body follows only where
 * the method is kept, and only when it can be sent again.
 *
 * @throws EgressRefusal `redirect` from https to http, with a body that was a stream, or to what is
 * no URL
 */
export function nextHop(hop: Hop, status: number, location: string | null): Hop | undefined {
  if (!REDIRECTS.has(status) || location === null) return undefined;
  const url = targetOf(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw new EgressRefusal('redirect', `${hop.url.host} redirects from https to http`);
  const headers = new Headers(hop.init.headers);
  const { body, method, ...rest } = hop.init;
  if (url.origin !== hop.url.origin)
    for (const name of [...headers.keys()]) if (!HARMLESS.has(name)) headers.delete(name);
  const asked = (method ?? 'GET').toUpperCase();
  const becomesGet = status === 303 ? asked !== 'HEAD' : (status === 301 || status === 302) && asked === 'POST';
  if (becomesGet) {
    for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language']) headers.delete(name);
    return { url, init: { ...rest, method: 'GET', headers } };
  }
  if (body instanceof ReadableStream)
    throw new EgressRefusal('redirect', `${hop.url.host} redirects a request whose body was a stream`);
  return { url, init: { ...rest, method: asked, headers, ...(body == null ? {} : { body }) } };
}

function targetOf(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new EgressRefusal('redirect', `${from.host} redirects to what is no URL`);
  return readTarget(new URL(location, from).href.split('#')[0] ?? '');
}
