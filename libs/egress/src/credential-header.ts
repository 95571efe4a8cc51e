/**
 * Headers with a meaning in connections (RFC 9110 section 7.6.1), messages, MCP or this service.
 * They include all headers that follow a redirect to another origin.
 */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via'],
  ...['host', 'expect', 'date', 'origin', 'referer', 'range'],
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cache-control', 'last-event-id', 'forwarded'],
  ...['cookie', 'set-cookie', 'traceparent', 'tracestate', 'baggage', 'x-request-id', 'http2-settings'],
]);
const RESERVED_PREFIXES = /^(?:content-|proxy-|sec-|mcp-|access-control-|x-forwarded-|if-)/;

/** Returns why a header cannot contain a credential; undefined if it can. */
export function findHeaderNameProblem(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(plain)) return 'must be the name of a header (RFC 9110)';
  if (plain === 'authorization') return 'is set by the type bearerToken';
  if (RESERVED_HEADERS.has(plain) || RESERVED_PREFIXES.test(plain))
    return `${plain} has a meaning of its own in requests`;
  return undefined;
}
