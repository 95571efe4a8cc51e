/** One requirement of the data plane and its source. */
export interface Requirement {
  /**
   * The source: the MCP specification, an RFC, or this gateway's own design (`own`).
   */
  source: string;
  behaviour: string;
}

const MODERN = 'https://modelcontextprotocol.io/specification/2026-07-28';
const LEGACY = 'https://modelcontextprotocol.io/specification/2025-11-25';
const TASKS = 'https://modelcontextprotocol.io/seps/2663-tasks-extension';
const SKILLS = 'https://modelcontextprotocol.io/seps/2640-skills-extension';

/**
 * The requirements of the data plane. At least one test over HTTP cites each id; a test checks
 * that.
 */
export const requirements = {
  'auth:token-needed': {
    source: `${LEGACY}/basic/authorization#token-handling`,
    behaviour:
      'A request without a valid bearer token gets 401 with WWW-Authenticate that names the resource metadata.',
  },
  'auth:audience': {
    source: `${LEGACY}/basic/authorization#token-handling`,
    behaviour: 'A token that was issued for another audience, or by another issuer, is refused.',
  },
  'auth:metadata': {
    source: 'https://www.rfc-editor.org/rfc/rfc9728#section-3',
    behaviour:
      'Protected resource metadata is served for the endpoint and each of its paths, and names the resource exactly.',
  },
  'auth:every-request': {
    source: 'own',
    behaviour: 'The gateway checks the token and the rights with every request of a session.',
  },
  'auth:no-passthrough': {
    source: `${LEGACY}/basic/authorization#access-token-privilege-restriction`,
    behaviour: "The caller's token never reaches an upstream.",
  },
  'transport:origin': {
    source: `${LEGACY}/basic/transports#security-warning`,
    behaviour: 'A request of a foreign web origin, or addressed to a foreign host, gets 403.',
  },
  'transport:bounded-body': {
    source: 'own',
    behaviour: 'A body that is too large, too deep, or not JSON is refused before it is processed.',
  },
  'transport:no-batches': {
    source: `${LEGACY}/basic/transports#sending-messages-to-the-server`,
    behaviour: 'A body is one message; arrays are refused.',
  },
  'era:modern': {
    source: `${MODERN}/basic/transports`,
    behaviour: 'A stock client of 2026-07-28 discovers, lists and calls without a session.',
  },
  'era:legacy': {
    source: `${LEGACY}/basic/lifecycle`,
    behaviour: 'Stock clients of the revisions with sessions initialize, list and call.',
  },
  'transport:slow-client': {
    source: 'own',
    behaviour: 'A client that does not read costs a bounded amount of memory for a bounded time.',
  },
  'transport:gone': {
    source: 'own',
    behaviour: 'A client that disconnects at any moment leaves no stream, watcher or running call behind.',
  },
  'era:headers': {
    source: `${MODERN}/basic/transports#standard-headers`,
    behaviour: 'Mcp-Method and Mcp-Name must match the body, otherwise -32020. Decisions use the body.',
  },
  'era:version': {
    source: `${MODERN}/basic/versioning`,
    behaviour: 'An unsupported revision is refused with the list of supported ones.',
  },
  'session:owner': {
    source: `${LEGACY}/basic/security_best_practices#session-hijacking`,
    behaviour:
      'A session id works for its user and endpoint only; any other request with it gets 404 and does not affect the session.',
  },
  'session:bounded': {
    source: 'own',
    behaviour: 'A session that fails to begin leaves no stored data, and the stored data of a session is limited.',
  },
  'session:limit': {
    source: 'own',
    behaviour:
      'A user has at most 64 sessions over all replicas. One more ends the longest idle one, or gets 429 when all are in use.',
  },
  'stream:limit': {
    source: 'own',
    behaviour: 'A user has at most 64 open streams on one replica, over all endpoints; one more gets 429.',
  },
  'session:request-ids': {
    source: `${LEGACY}/basic#requests`,
    behaviour:
      'A request whose id is in use by a running request of the session is refused at once and does not affect the running one.',
  },
  'session:needed': {
    source: `${LEGACY}/basic/transports#session-management`,
    behaviour: 'A legacy request without a session id gets 400, with an unknown one 404.',
  },
  'session:delete': {
    source: `${LEGACY}/basic/transports#session-management`,
    behaviour: 'DELETE ends a session; afterwards its id gets 404.',
  },
  'session:restart': {
    source: 'own',
    behaviour: 'A session goes on after a restart of the gateway and on another replica.',
  },
  'resources:apart': {
    source: 'own',
    behaviour:
      'A URI that several connectors of a user serve is gatehouse+<slug>:<uri> for each of them, in lists and results. Without the slug it is an error that names the visible connectors.',
  },
  'skills:list': {
    source: SKILLS,
    behaviour: 'skills/list has the skills of all visible connectors, with the URIs of the endpoint.',
  },
  'skills:get': {
    source: SKILLS,
    behaviour: 'skills/get and resources/read reach the connector that serves the URI.',
  },
  'skills:folders': {
    source: SKILLS,
    behaviour: 'resources/directory/read lists the direct children of a folder, with the URIs of the endpoint.',
  },
  'skills:rights': {
    source: 'own',
    behaviour:
      'A skill needs the right to read its SKILL.md. One with a file that the user may not read has no manifest.',
  },
  'tasks:modern': {
    source: TASKS,
    behaviour: 'tasks/get, tasks/update and tasks/cancel serve a task of 2026-07-28 on any replica, with its result.',
  },
  'tasks:declared': {
    source: TASKS,
    behaviour: 'A client that does not declare the extension for tasks gets -32021 with the capabilities it needs.',
  },
  'tasks:legacy': {
    source: `${LEGACY}/basic/utilities/tasks`,
    behaviour:
      'A tool call of a session can become a task. tasks/get, tasks/list and tasks/cancel work on any replica.',
  },
  'tasks:result': {
    source: `${LEGACY}/basic/utilities/tasks`,
    behaviour: 'tasks/result brings the result, and before it the questions of the upstream, under the id of the task.',
  },
  'tasks:negotiated': {
    source: `${LEGACY}/basic/utilities/tasks`,
    behaviour: 'Tools show taskSupport only if both the client and the upstream negotiated tasks of 2025-11-25.',
  },
  'tasks:eras': {
    source: 'own',
    behaviour: 'Tasks of the other era are unknown, and a tool that needs them is an error that names the revision.',
  },
  'tasks:rights': {
    source: 'own',
    behaviour: 'Forged ids, tasks of other users and tasks whose tool the user may not call get the same error.',
  },
  'tasks:ids': {
    source: 'own',
    behaviour: 'The id of a task is of the gateway. The id of the upstream never reaches a client.',
  },
  'tasks:limit': {
    source: 'own',
    behaviour: 'A user has at most 100 tasks. One more is cancelled at its upstream.',
  },
  'tasks:one-record': {
    source: 'own',
    behaviour: 'The call of a task has one record, written when the task begins.',
  },
  'tools:names': {
    source: `${LEGACY}/server/tools#tool-names`,
    behaviour: 'Names are <slug>__<name>, at most 64 of [A-Za-z0-9_-], sorted; longer names end in a stable hash.',
  },
  'tools:one-connector': {
    source: 'own',
    behaviour: 'The endpoint of one connector serves its tools under their own names, and no others.',
  },
  'tools:one-answer': {
    source: 'own',
    behaviour:
      'Forbidden, disabled, narrowed and unknown tools get byte-identical responses, and no upstream is called.',
  },
  'tools:next-request': {
    source: 'own',
    behaviour: 'A grant, a toggle, a narrowing and a deactivation apply on every replica within 1 s.',
  },
  'tools:list-changed': {
    source: `${LEGACY}/server/tools#list-changed-notification`,
    behaviour: 'Open streams of both eras are notified when the offers of their user change.',
  },
  'tools:progress': {
    source: `${LEGACY}/basic/utilities/progress`,
    behaviour: 'Progress of the upstream reaches the client under its own token.',
  },
  'tools:cancel': {
    source: `${LEGACY}/basic/utilities/cancellation`,
    behaviour: 'Cancelling a call stops it at the upstream.',
  },
  'tools:elicitation': {
    source: `${LEGACY}/client/elicitation`,
    behaviour: 'A request of an upstream during a call reaches the client that made the call.',
  },
  'upstream:lost-session': {
    source: `${LEGACY}/basic/transports#session-management`,
    behaviour: 'An upstream that lost its session is initialized again without others, and the call is made once.',
  },
  'upstream:no-replay': { source: 'own', behaviour: 'A call that may have been executed is never sent twice.' },
  'upstream:deadline': {
    source: 'own',
    behaviour: 'An upstream that hangs is left out of lists after the deadline and delays no other upstream.',
  },
  'upstream:contained': {
    source: 'own',
    behaviour: 'Garbage, floods and reserved metadata of an upstream are contained.',
  },
  'upstream:addresses': {
    source: 'own',
    behaviour: 'An upstream at a private address is dialled only where the administrator allowed it.',
  },
  'upstream:credential': {
    source: 'own',
    behaviour: 'A connector that needs an unsupported credential is never called without it.',
  },
  'metering:before-answer': {
    source: 'own',
    behaviour: 'Every call, allowed or not, is committed before its response leaves.',
  },
  'replicas:messages': {
    source: 'own',
    behaviour: 'Answers and cancellations of a client reach the replica of the call, from any replica.',
  },
  'replicas:messages-limit': {
    source: 'own',
    behaviour: 'At most 256 answers and 16 MiB of a user wait for other replicas; one more gets 429.',
  },
  'replicas:resumption': {
    source: 'own',
    behaviour: 'Any replica resumes a stream of another, for the same user, with each event once.',
  },
  'replicas:kill': {
    source: 'own',
    behaviour:
      'After a kill, another replica replays the stream of a call and ends it with an error. The call has one record, with the outcome error, and is not repeated.',
  },
  'replicas:resume': {
    source: `${LEGACY}/basic/transports#resumability-and-redelivery`,
    behaviour:
      'After a kill, another replica reads the answer of a call on where the upstream gave event ids. The client gets each message once, and the call has one record with its outcome.',
  },
  'metering:exactly-once': {
    source: 'own',
    behaviour: 'A record is counted once, also when a process is killed in between.',
  },
  'directory:down': {
    source: 'own',
    behaviour:
      'While the directory is down, known users are served until the lease of its feeds ends. Unknown users, and all users after a restart, are refused.',
  },
} as const satisfies Record<string, Requirement>;

/** The id of a requirement. */
export type RequirementId = keyof typeof requirements;
