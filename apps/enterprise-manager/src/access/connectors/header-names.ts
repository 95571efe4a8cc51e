/**
 * Names that connections (RFC 9110 section 7.6.1), messages, MCP and this service give a meaning of
 * their own. All that follow a redirect to another origin are among them.
 */
const TAKEN_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via'],
  ...['host', 'expect', 'date', 'origin', 'referer', 'range'],
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cache-control', 'last-event-id', 'forwarded'],
  ...['cookie', 'set-cookie', 'traceparent', 'tracestate', 'baggage', 'x-request-id', 'http2-settings'],
]);
const TAKEN_PREFIXES = /^(?:content-|proxy-|sec-|mcp-|access-control-|x-forwarded-|if-)/;

/** Why a header cannot carry a credential, or undefined when it can. */
export function headerNameProblem(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(plain)) return 'must be the name of a header (RFC 9110)';
  if (plain === 'authorization') return 'is set by the type bearerToken';
  if (TAKEN_HEADERS.has(plain) || TAKEN_PREFIXES.test(plain)) return `${plain} has a meaning of its own in requests`;
  return undefined;
}
