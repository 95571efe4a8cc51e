import { type AnswerLimits, DEFAULT_ANSWER_LIMITS, MESSAGE_JSON_LIMITS } from '@gatehouse/mcp/answer-limits';
import type { JsonLimits } from '@gatehouse/json-limits/json-counter';

/** Bounds and times of the data plane. All times are milliseconds, all sizes bytes. */
export interface Limits {
  /**
   * Longest wait for the lists of all upstreams together; who is late is left out of this answer.
   */
  fanOutMs: number;
  /** Longest time to open a connection to an upstream, or to fetch one list from it. */
  upstreamListMs: number;
  /** Longest time of one call without progress. */
  callMs: number;
  /** Longest time of one call in total. */
  callTotalMs: number;
  /** How long a list of an upstream is taken as current. */
  listTtlMs: number;
  /** Of one answer of an upstream, or one event of a stream. */
  answer: AnswerLimits;
  /** How long a list that was refused or large is kept: each look at such a list costs much. */
  heavyListTtlMs: number;
  /** From how many received bytes on a list is large. */
  heavyListBytes: number;
  /** Largest body that a client may send. */
  requestBytes: number;
  /** Values, keys, levels and members of one message of a client or an upstream. */
  json: JsonLimits;
  /**
   * Most bytes that one process holds for one person: bodies, and answers that the client has not
   * read yet.
   */
  bytesPerPerson: number;
  /** How long an upstream connection lives without use. */
  upstreamIdleMs: number;
  /** How long a session lives without use. */
  sessionIdleMs: number;
  /** Most sessions of one person, over all replicas. */
  sessionsPerPerson: number;
  /**
   * How long after its last use a session counts as in use: a new session of the person does not
   * end it.
   */
  sessionInUseMs: number;
  /** Most open streams of one person on one replica: GET streams of sessions, and subscriptions. */
  streamsPerPerson: number;
  /** Failures in a row after which an upstream is left alone, and for how long. */
  breakerThreshold: number;
  breakerOpenMs: number;
  /** How often the rights of people with open streams are looked at. */
  watchMs: number;
}

/** What holds unless the configuration says otherwise. */
export const DEFAULT_LIMITS: Limits = {
  fanOutMs: 5_000,
  upstreamListMs: 15_000,
  callMs: 60_000,
  callTotalMs: 600_000,
  listTtlMs: 5_000,
  answer: DEFAULT_ANSWER_LIMITS,
  heavyListTtlMs: 60_000,
  heavyListBytes: 1024 * 1024,
  requestBytes: 4 * 1024 * 1024,
  json: MESSAGE_JSON_LIMITS,
  bytesPerPerson: 64 * 1024 * 1024,
  upstreamIdleMs: 300_000,
  sessionIdleMs: 1_800_000,
  sessionsPerPerson: 64,
  sessionInUseMs: 60_000,
  streamsPerPerson: 64,
  breakerThreshold: 5,
  breakerOpenMs: 30_000,
  watchMs: 1_000,
};
