/** A rule of the MCP specification for a proxy, and the tests that show it. */
export interface Requirement {
  /** The section of the specification. */
  readonly source: string;
  readonly level: 'MUST' | 'SHOULD';
  /** The duty of the proxy, as the server of a client or as the client of a server. */
  readonly behaviour: string;
  /** Titles of tests by file, seen from this folder. */
  readonly tests: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Why the proxy does something else than the rule says. */
  readonly deviation?: string;
}

const LEGACY = 'https://modelcontextprotocol.io/specification/2025-11-25/basic';
const MODERN = 'https://modelcontextprotocol.io/specification/2026-07-28/basic';
const HTTP = `${LEGACY}/transports#streamable-http`;
const SENDING = `${LEGACY}/transports#sending-messages-to-the-server`;
const LISTENING = `${LEGACY}/transports#listening-for-messages-from-the-server`;
const SESSIONS = `${LEGACY}/transports#session-management`;
const RESUMING = `${LEGACY}/transports#resumability-and-redelivery`;
const STDIO = `${LEGACY}/transports#stdio`;
const MODERN_HTTP = `${MODERN}/transports/streamable-http`;
const TOKENS = `${LEGACY}/authorization#token-handling`;
const CLASSIFY = '../../mcp/src/classify.test.ts';
const DISCOVERY = '../../oauth-client/src/discovery.test.ts';
const RESOURCE = '../../oauth-client/src/protected-resource.test.ts';
const OAUTH = '../../oauth-client/src/tokens.test.ts';
const REGISTRATION = '../../oauth-client/src/registration.test.ts';

/**
 * The rules of the chapters on transports, lifecycle and authorization, of 2025-11-25 (without a
 * prefix) and of 2026-07-28 (`modern:`), that concern a proxy. Rules for servers concern it before
 * its clients, and rules for clients before its server.
 *
 * These rules do not concern it: what a client and a server put into their own messages, rules for
 * authorization servers, a scope for each request (policies decide here, and have no scopes), the
 * `retry` field (a bridge closes no stream before its response), the end of a process by signals
 * (`libs/workloads`), and consent for registered clients (a proxy registers none).
 */
export const requirements = {
  'transports:utf-8': {
    ...{ source: `${LEGACY}/transports`, level: 'MUST' },
    behaviour: 'Messages are UTF-8. Others are refused, and characters survive a split of their bytes.',
    tests: {
      'bad-input.test.ts': ['with %s gets its status'],
      '../src/stdio/lines.test.ts': ['reads the same messages from any chunks, also when one ends inside a character'],
    },
  },
  'stdio:lines': {
    ...{ source: STDIO, level: 'MUST' },
    behaviour: 'The input of a process has one valid message a line, without line breaks in it.',
    tests: { 'handshake.test.ts': ['sends a process one message a line, from initialize on'] },
  },
  'stdio:noise': {
    ...{ source: STDIO, level: 'MUST' },
    behaviour: 'Output of a process that is no message reaches no client.',
    tests: { 'bridge.test.ts': ['ignores other lines on the output of the server'] },
  },
  'http:endpoint': {
    ...{ source: HTTP, level: 'MUST' },
    behaviour: 'One path serves POST and GET; other paths and methods are refused.',
    tests: { 'bridge.test.ts': ['accepts JSON only, and no other path exists'] },
  },
  'http:origin': {
    ...{ source: `${LEGACY}/transports#security-warning`, level: 'MUST' },
    behaviour: 'The Origin of each request is checked; a foreign one gets 403.',
    tests: {
      'pass-through-limits.test.ts': [
        'may call from the address of the proxy; others get a JSON-RPC error without an id',
        'cannot reach a loopback address under their own name (DNS rebinding)',
      ],
      'exposed.test.ts': ['serves web pages of its own address and no others'],
    },
  },
  'http:loopback': {
    ...{ source: `${LEGACY}/transports#security-warning`, level: 'SHOULD' },
    behaviour: 'The proxy listens on a loopback address unless another one is given, which it warns about.',
    tests: {
      'handshake.test.ts': ['listens on a loopback address by default'],
      'pass-through.test.ts': ['logs a warning when other machines can reach it'],
    },
  },
  'http:authentication': {
    ...{ source: `${LEGACY}/transports#security-warning`, level: 'SHOULD' },
    behaviour: 'All connections can be authenticated.',
    tests: { 'authentication.test.ts': ['refuses a token that %s with 401'] },
  },
  'http:one-message': {
    ...{ source: SENDING, level: 'MUST' },
    behaviour: 'A body is one request, notification or response.',
    tests: { 'bridge.test.ts': ['refuses %s before it starts a process'] },
  },
  'http:accepted': {
    ...{ source: SENDING, level: 'MUST' },
    behaviour: 'An accepted notification or response gets 202 without a body.',
    tests: { 'handshake.test.ts': ['answers an accepted notification and response with 202 and no body'] },
  },
  'http:refused': {
    ...{ source: SENDING, level: 'MUST' },
    behaviour: 'A message that cannot be accepted gets an error status.',
    tests: { 'bad-input.test.ts': ['with %s gets its status'] },
  },
  'http:answer-form': {
    ...{ source: SENDING, level: 'MUST' },
    behaviour: 'A request is answered with one JSON object or with an event stream.',
    tests: {
      'bridge.test.ts': [
        'answers with plain JSON, without earlier messages, when the client accepts no streams',
        'delivers progress with the token of the client, only on the stream of its request',
      ],
    },
  },
  'http:priming-event': {
    ...{ source: SENDING, level: 'SHOULD' },
    behaviour: 'A stream begins with an event that has an id and no data.',
    tests: { 'bridge.test.ts': ['begin with an event that has an id and no data'] },
  },
  'http:response-ends-stream': {
    ...{ source: SENDING, level: 'SHOULD' },
    behaviour: 'A stream has the response of its request, and ends after it.',
    tests: { 'bridge.test.ts': ['delivers progress with the token of the client, only on the stream of its request'] },
  },
  'http:disconnection': {
    ...{ source: SENDING, level: 'SHOULD' },
    behaviour: 'A client that leaves and does not resume its stream cancels the request.',
    tests: {
      'bridge.test.ts': [
        'cancels the request of a client that disconnects',
        'are resumed: missed events and the response are delivered once',
      ],
    },
    deviation:
      'The rule keeps requests of clients that have left. The server would work for no client, so that a request ends when its stream cannot be resumed, or is not in time.',
  },
  'http:accept-of-get': {
    ...{ source: LISTENING, level: 'MUST' },
    behaviour: 'GET opens an event stream, or gets 405 or 406.',
    tests: {
      'bridge.test.ts': ['accepts JSON only, and no other path exists'],
      'pass-through.test.ts': ['allow only POST when they have no streams, as a stateless server does'],
    },
  },
  'http:unrelated-messages': {
    ...{ source: LISTENING, level: 'SHOULD' },
    behaviour: 'The stream of a GET has messages that belong to no open request.',
    tests: { 'bridge.test.ts': ['delivers a list change to every session, also before it opens a stream'] },
  },
  'http:no-response-on-get': {
    ...{ source: LISTENING, level: 'MUST' },
    behaviour: 'A response comes on the stream of a GET only where it resumes the stream of the request.',
    tests: { 'bridge.test.ts': ['are resumed: missed events and the response are delivered once'] },
  },
  'http:one-stream': {
    ...{ source: `${LEGACY}/transports#multiple-connections`, level: 'MUST' },
    behaviour: 'Each message goes to one stream of a session.',
    tests: {
      'bridge.test.ts': [
        'end when a new stream replaces them',
        'delivers progress with the token of the client, only on the stream of its request',
      ],
    },
  },
  'resuming:ids': {
    ...{ source: RESUMING, level: 'MUST' },
    behaviour: 'Event ids are unique in a session and name their stream.',
    tests: { 'bridge.test.ts': ['are resumed: missed events and the response are delivered once'] },
  },
  'resuming:own-stream': {
    ...{ source: RESUMING, level: 'MUST' },
    behaviour: 'A resumed stream replays its own messages only.',
    tests: {
      'bridge.test.ts': ['never replay events of another session'],
      'bad-input.test.ts': ['replays nothing of another session'],
    },
  },
  'sessions:ids': {
    ...{ source: SESSIONS, level: 'MUST' },
    behaviour: 'Session ids are random and have visible ASCII characters only.',
    tests: { 'handshake.test.ts': ['gives each session a random id of visible ASCII characters'] },
  },
  'sessions:required': {
    ...{ source: SESSIONS, level: 'SHOULD' },
    behaviour: 'A request without the id of a session gets 400.',
    tests: { 'bridge.test.ts': ['are required: a request without one gets 400, with an unknown one 404 and its id'] },
  },
  'sessions:ended': {
    ...{ source: SESSIONS, level: 'MUST' },
    behaviour: 'A request with the id of an ended session gets 404.',
    tests: {
      'bridge.test.ts': ['expire with their process unless a stream is open'],
      'pass-through.test.ts': ['are known after the server opened them and unknown after their end'],
    },
  },
  'sessions:lost': {
    ...{ source: SESSIONS, level: 'MUST' },
    behaviour: 'The proxy initializes again for a client whose session the server has lost; the client can too.',
    tests: {
      'pass-through.test.ts': ['can be replaced by an initialize that still names the old session'],
      'session-recovery.test.ts': [
        'go on after a restart of the server',
        'is initialized once for requests at the same time',
      ],
    },
  },
  'sessions:owner': {
    ...{ source: SESSIONS, level: 'MUST' },
    behaviour: 'The id of a session works for its caller only.',
    tests: {
      'authentication.test.ts': ['binds sessions to their subject: others get 404, and a process of their own'],
    },
  },
  'sessions:forwarded': {
    ...{ source: SESSIONS, level: 'MUST' },
    behaviour: 'The headers of sessions, versions and events reach an HTTP server unchanged.',
    tests: { 'handshake.test.ts': ['forwards the headers of MCP unchanged to an HTTP server'] },
  },
  'versions:header': {
    ...{ source: `${LEGACY}/transports#protocol-version-header`, level: 'MUST' },
    behaviour: 'An unknown version gets 400 with strict validation. A request without a version is accepted.',
    tests: { 'pass-through.test.ts': ['are checked only with strict validation'] },
    deviation: 'Without --strict-protocol-validation the server judges the version, as in other proxies.',
  },
  'lifecycle:initialize-first': {
    ...{ source: `${LEGACY}/lifecycle#initialization`, level: 'MUST' },
    behaviour: 'A process gets initialize, then the notification initialized, then requests.',
    tests: { 'handshake.test.ts': ['sends a process one message a line, from initialize on'] },
  },
  'lifecycle:initialize-content': {
    ...{ source: `${LEGACY}/lifecycle#initialization`, level: 'MUST' },
    behaviour: 'A process gets the version, the capabilities and the name of the client; its own reach the client.',
    tests: { 'handshake.test.ts': ['passes version, capabilities and names in both directions'] },
  },
  'lifecycle:version': {
    ...{ source: `${LEGACY}/lifecycle#version-negotiation`, level: 'MUST' },
    behaviour: 'The client gets the version that the server has chosen.',
    tests: { 'handshake.test.ts': ['passes version, capabilities and names in both directions'] },
  },
  'lifecycle:capabilities': {
    ...{ source: `${LEGACY}/lifecycle#operation`, level: 'MUST' },
    behaviour: 'Requests of the server reach only clients that have declared the capability.',
    tests: {
      'bridge.test.ts': [
        'refuses server requests for sessions that accept none',
        'starts a process for each protocol version and set of capabilities',
      ],
    },
  },
  'lifecycle:shutdown': {
    ...{ source: `${LEGACY}/lifecycle#shutdown`, level: 'SHOULD' },
    behaviour: 'A process ends with its last session.',
    tests: {
      'bridge.test.ts': ['gives a session that accepts server requests an exclusive process and ends both together'],
    },
  },
  'lifecycle:timeouts': {
    ...{ source: `${LEGACY}/lifecycle#timeouts`, level: 'SHOULD' },
    behaviour: 'Requests have a time limit that options set, and are cancelled at the server after it.',
    tests: { 'bridge.test.ts': ['ends a request at its time limit and cancels it at the server'] },
  },
  'lifecycle:errors': {
    ...{ source: `${LEGACY}/lifecycle#error-handling`, level: 'SHOULD' },
    behaviour: 'A server that refuses to initialize, or ends before, is reported to its client.',
    tests: {
      'bridge.test.ts': [
        'can refuse initialize with its own error',
        'causes an error and leaves no process when it ends before it is initialized',
      ],
    },
  },
  'cancellation:ids': {
    ...{ source: `${LEGACY}/utilities/cancellation`, level: 'MUST' },
    behaviour: 'A cancellation names the request as its receiver knows it.',
    tests: { 'bridge.test.ts': ['cancels the request that the client names'] },
  },
  'authorization:metadata': {
    ...{ source: `${LEGACY}/authorization#authorization-server-location`, level: 'MUST' },
    behaviour: 'The metadata of the protected resource names its authorization server.',
    tests: {
      'authentication.test.ts': [
        'answers for its metadata alone below /.well-known/, without a token and never from the server',
        'names the configured address in metadata and challenges',
      ],
    },
  },
  'authorization:challenge': {
    ...{ source: `${LEGACY}/authorization#protected-resource-metadata-discovery-requirements`, level: 'MUST' },
    behaviour: 'A challenge names the metadata and the scopes.',
    tests: {
      'authentication.test.ts': [
        'answers %s with 401 and a challenge without an error',
        'refuses a token that %s with 401',
      ],
    },
  },
  'authorization:validation': {
    ...{ source: TOKENS, level: 'MUST' },
    behaviour: 'Tokens are verified before the request is processed, and refused with 401.',
    tests: { 'authentication.test.ts': ['refuses a token that %s with 401'] },
  },
  'authorization:audience': {
    ...{ source: TOKENS, level: 'MUST' },
    behaviour: 'A token of another audience or issuer is refused.',
    tests: { 'authentication.test.ts': ['refuses a token that %s with 401'] },
  },
  'authorization:header-only': {
    ...{ source: `${LEGACY}/authorization#token-requirements`, level: 'MUST' },
    behaviour: 'A token in the query is refused, also beside one in the header.',
    tests: {
      'authentication.test.ts': ['answers %s with 401 and a challenge without an error', 'answers %s with 400'],
    },
  },
  'authorization:every-request': {
    ...{ source: `${LEGACY}/authorization#token-requirements`, level: 'MUST' },
    behaviour: 'Each request of a session needs its token.',
    tests: {
      'authentication.test.ts': ['binds sessions to their subject: others get 404, and a process of their own'],
    },
  },
  'authorization:no-passthrough': {
    ...{ source: `${LEGACY}/authorization#access-token-privilege-restriction`, level: 'MUST' },
    behaviour: 'A verified token never reaches the server; it gets one of its own, or none.',
    tests: {
      'authentication.test.ts': ['takes the caller from the token, which does not reach the server'],
      'token-exchange.test.ts': [
        'gives the server a token for the caller, and exchanges each token once',
        'sends the token in another header, and neither that of the client nor its value of the header',
      ],
    },
  },
  'authorization:status': {
    ...{ source: `${LEGACY}/authorization#error-handling`, level: 'MUST' },
    behaviour: 'Missing tokens get 401, malformed requests 400, and refused uses 403.',
    tests: {
      'authentication.test.ts': ['answers %s with 400', 'answers %s with 401 and a challenge without an error'],
      'authorization.test.ts': ['decides about %s'],
    },
  },
  'sign-in:discovery': {
    ...{ source: `${LEGACY}/authorization#authorization-server-metadata-discovery`, level: 'MUST' },
    behaviour: 'The authorization server of a remote server is found from its challenge, else at the known paths.',
    tests: {
      [RESOURCE]: ['reads only the document that the challenge names, and prefers its scopes'],
      [DISCOVERY]: ['finds the document at %s'],
    },
  },
  'sign-in:registration': {
    ...{ source: `${LEGACY}/authorization#client-registration-approaches`, level: 'SHOULD' },
    behaviour: 'A configured client comes first, then its metadata document, then registration.',
    tests: {
      [REGISTRATION]: [
        'prefers the configured client',
        'uses the metadata document where the server supports it',
        'registers once for each issuer',
      ],
    },
  },
  'sign-in:resource': {
    ...{ source: `${LEGACY}/authorization#resource-parameter-implementation`, level: 'MUST' },
    behaviour: 'Requests for authorization and tokens have the resource, the state and PKCE with S256.',
    tests: { [OAUTH]: ['sends PKCE, state and resource, and redeems the code with them'] },
  },
  'sign-in:pkce': {
    ...{ source: `${LEGACY}/authorization#authorization-code-protection`, level: 'MUST' },
    behaviour: 'A server that does not list S256 is refused.',
    tests: {
      [DISCOVERY]: ['refuses an unknown server with the PKCE methods %j'],
      [OAUTH]: ['refuses a server that lists its PKCE methods without S256'],
    },
  },
  'sign-in:issuer': {
    ...{ source: `${MODERN}/authorization#authorization-response-validation`, level: 'MUST' },
    behaviour: 'The issuer of a response is compared before its code is sent.',
    tests: { [OAUTH]: ['demands the issuer of a server that promises it (RFC 9207)'] },
  },
  'sign-in:https': {
    ...{ source: `${LEGACY}/authorization#communication-security`, level: 'MUST' },
    behaviour: 'Endpoints without TLS are refused unless they are permitted.',
    tests: { [DISCOVERY]: ['refuses http where it is not permitted'] },
  },
  'modern:sessionless': {
    ...{ source: `${MODERN_HTTP}#earlier-streamable-http-revisions`, level: 'SHOULD' },
    behaviour: 'A modern client gets no session and no stream of a GET.',
    tests: { 'bridge-modern.test.ts': ['has no GET streams and no sessions'] },
  },
  'modern:cancellation': {
    ...{ source: `${MODERN_HTTP}#cancellation`, level: 'MUST' },
    behaviour: 'The end of the stream cancels the request, also at a process.',
    tests: { 'bridge-modern.test.ts': ['cancels by closing the stream: %p'] },
  },
  'modern:buffering': {
    ...{ source: `${MODERN_HTTP}#receiving-messages`, level: 'SHOULD' },
    behaviour: 'Streams tell other proxies not to buffer them.',
    tests: { 'handshake.test.ts': ['tells other proxies not to buffer a stream'] },
  },
  'modern:version': {
    ...{ source: `${MODERN_HTTP}#protocol-version-header`, level: 'MUST' },
    behaviour: 'An unsupported version gets 400 and the supported ones, another one than in the body -32020.',
    tests: {
      [CLASSIFY]: ['lists the supported versions for an unsupported one', 'refuses headers that contradict the body'],
      'handshake.test.ts': ['answers an unsupported modern version with the supported ones'],
    },
  },
  'modern:method-not-found': {
    ...{ source: `${MODERN_HTTP}#protocol-version-header`, level: 'MUST' },
    behaviour: 'A method that the server does not have gets 404 and -32601.',
    tests: { 'bridge-modern.test.ts': ['is served by a server of either era: %p'] },
  },
  'modern:headers': {
    ...{ source: `${MODERN_HTTP}#server-validation`, level: 'MUST' },
    behaviour: 'Mcp-Method and Mcp-Name are required and must match the body, after decoding.',
    tests: {
      'bridge-modern.test.ts': ['refuses headers that contradict the body'],
      'bad-input.test.ts': ['with %s gets its status'],
      [CLASSIFY]: ['compares the decoded Mcp-Name'],
    },
  },
  'modern:changed-headers': {
    ...{ source: `${MODERN_HTTP}#server-validation`, level: 'MUST' },
    behaviour: 'Headers mirror a message that a pass has changed.',
    tests: {
      'tool-filter.test.ts': ['call a tool by its new name, with its numbers and its header'],
      'webhooks.test.ts': ['of an HTTP server: the header of a changed argument %s'],
    },
  },
  'modern:param-headers': {
    ...{ source: `${MODERN_HTTP}#server-behavior-for-custom-headers`, level: 'MUST' },
    behaviour: 'Mcp-Param headers are forwarded, and compared where the proxy speaks for a process.',
    tests: {
      'webhooks.test.ts': [
        'of an HTTP server: the headers of an unchanged call are those of the client',
        'of a stdio server, whose arguments of the client its headers must mirror',
      ],
    },
  },
  'modern:policy': {
    ...{ source: `${MODERN_HTTP}#server-validation`, level: 'SHOULD' },
    behaviour: 'Passes decide on the body, and refuse headers that contradict it.',
    tests: { 'tool-filter.test.ts': ['compare the method of the header with the one that an HTTP server gets'] },
  },
  'modern:meta': {
    ...{ source: `${MODERN}/index#meta`, level: 'MUST' },
    behaviour: 'A modern request without its required members gets 400 and -32602.',
    tests: { [CLASSIFY]: ['refuses a modern request without its required members'] },
  },
  'modern:subscriptions': {
    ...{ source: `${MODERN}/patterns/subscriptions`, level: 'MUST' },
    behaviour: 'A subscription gets its own notifications, under its own id.',
    tests: { 'bridge-modern.test.ts': ['delivers changes under the id of its own subscription: %p'] },
  },
  'modern:eras': {
    ...{ source: `${MODERN}/versioning`, level: 'SHOULD' },
    behaviour: 'A process of either era serves clients of both.',
    tests: {
      'bridge-modern.test.ts': [
        'is served by a server of either era: %p',
        'is translated for a legacy client of a modern server',
      ],
    },
  },
  'modern:restart': {
    ...{ source: `${MODERN}/transports/stdio`, level: 'SHOULD' },
    behaviour: 'A process that has ended by itself is started again.',
    tests: { 'bridge.test.ts': ['is replaced when it ends by itself during a request'] },
  },
} as const satisfies Record<string, Requirement>;
