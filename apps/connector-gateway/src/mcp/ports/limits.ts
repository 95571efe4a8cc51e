import { type ResponseLimits, DEFAULT_RESPONSE_LIMITS, MESSAGE_JSON_LIMITS } from '@gatehouse/mcp/response-limits';
import type { JsonLimits } from '@gatehouse/json-limits/json-counter';

/** Limits of the data plane. Times are milliseconds, sizes are bytes. */
export interface Limits {
  /** Longest wait for the lists of all upstreams together; late upstreams are left out. */
  fanOutMs: number;
  /** Longest time to open a connection to an upstream, or to fetch one list from it. */
  upstreamListMs: number;
  /** Longest time of one call without progress. */
  callMs: number;
  /** Longest time of one call in total. */
  callTotalMs: number;
  /** Time for which a list of an upstream is current. */
  listTtlMs: number;
  /** Limits of one response of an upstream, or of one event of a stream. */
  response: ResponseLimits;
  /** Time for which a refused or large list is kept, since each fetch of it is expensive. */
  heavyListTtlMs: number;
  /** Received bytes above which a list is large. */
  heavyListBytes: number;
  /** Largest body that a client may send. */
  requestBytes: number;
  /** JSON limits of one message of a client or an upstream. */
  json: JsonLimits;
  /** Most bytes in flight of one user in one process: bodies and unread parts of responses. */
  bytesPerUser: number;
  /** Time for which an idle upstream connection stays open. */
  upstreamIdleMs: number;
  /** Most credentials of persons with open connections to upstreams. */
  personalIdentities: number;
  /** Lifetime of an idle session. */
  sessionIdleMs: number;
  /** Most sessions of one user over all replicas. */
  sessionsPerUser: number;
  /**
   * Time for which a session counts as in use after its last use. A new session ends no session in
   * use.
   */
  sessionInUseMs: number;
  /** Most open streams of one user on one replica: GET streams of sessions, and subscriptions. */
  streamsPerUser: number;
  /** Consecutive failures that open a breaker, and the time for which it stays open. */
  breakerThreshold: number;
  breakerOpenMs: number;
  /** Time in which changes of the views of open streams are collected into one notification. */
  watchMs: number;
}

/** The limits unless the configuration sets others. */
export const DEFAULT_LIMITS: Limits = {
  fanOutMs: 5_000,
  upstreamListMs: 15_000,
  callMs: 60_000,
  callTotalMs: 600_000,
  listTtlMs: 5_000,
  response: DEFAULT_RESPONSE_LIMITS,
  heavyListTtlMs: 60_000,
  heavyListBytes: 1024 * 1024,
  requestBytes: 4 * 1024 * 1024,
  json: MESSAGE_JSON_LIMITS,
  bytesPerUser: 64 * 1024 * 1024,
  upstreamIdleMs: 300_000,
  personalIdentities: 1_000,
  sessionIdleMs: 1_800_000,
  sessionsPerUser: 64,
  sessionInUseMs: 60_000,
  streamsPerUser: 64,
  breakerThreshold: 5,
  breakerOpenMs: 30_000,
  watchMs: 250,
};
