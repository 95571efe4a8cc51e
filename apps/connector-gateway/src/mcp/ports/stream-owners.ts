import type { StreamPosition } from '@gatehouse/mcp/client/connection';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { EventLog } from '@gatehouse/mcp/server/channel';
import type { SessionOwner } from './session-store.ts';
import type { RunningRecord } from './tool-call.ts';

/** The error of a call whose replica died. It is a message for the user or the model. */
export const MAY_HAVE_RUN =
  'the replica of the gateway that served this call stopped; the call may have run and is not repeated. Check its effects before you call again';

/** The facts of a stream that this replica serves. */
export interface StreamFacts {
  user: Pick<SessionOwner, 'issuer' | 'subject'>;
  /** The resumable stream of a session; undefined for a request without a session. */
  resumable?: {
    sessionId: string;
    channel: string;
    /** The request whose response this is; undefined for the stream of a GET. */
    requestId?: RequestId | undefined;
  };
  /** The record of the call, which another replica completes if this one stops. */
  callId?: string | undefined;
}

/** A call at its upstream, for another replica that goes on with it. A plain value. */
export interface UpstreamCall {
  /** The place in the upstream's stream. */
  readonly position: StreamPosition;
  readonly connectorId: string;
  /** The address and the type of authentication at which the call runs. */
  readonly endpoint: string;
  readonly authType: string;
  /** The token under which the client gets the progress of the call. */
  readonly progressToken?: RequestId | undefined;
  /** Time of arrival of the call, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The origin of the next event of a stream. */
export interface EventOrigin {
  /** The call, with the place after this event. */
  readonly upstream: UpstreamCall | undefined;
  /** The upstream's id of the question that the event passes on. */
  readonly question?: RequestId | undefined;
}

/** A stream of this replica. Its events are stored while it is open. */
export interface OwnedStream extends EventLog {
  /** Records the owner. It precedes the first event, so that no event is without an owner. */
  open(upstream?: UpstreamCall): Promise<void>;
  /** Sets the origin of the next event, which is stored with the event. */
  setOrigin(origin: EventOrigin): void;
  /** Stores a place of the upstream without a message, after all events before it. */
  note(upstream: UpstreamCall): void;
  /** Resolves when all events are stored, or could not be. */
  settled(): Promise<void>;
  /** Ends the ownership after the last event. */
  end(): void;
}

/** A stream that a replica recorded. */
export interface FoundStream {
  id: string;
  /** Whether it has its last event. */
  isEnded: boolean;
  /** Whether it is the stream of a GET. */
  isStandalone: boolean;
  /** Whether this replica serves it. */
  isOwn: boolean;
  /** Whether the replica that serves it lives. */
  isOwnerAlive: boolean;
  /** The address of this replica for others. */
  ownerUrl: string | undefined;
}

/** An event of a call that this replica took over. */
export interface KeptEvent {
  number: number;
  frame: string;
  question: RequestId | null;
}

/** A call that this replica took over from one that died. */
export interface TakenCall {
  /** Id of the stream. */
  id: string;
  owner: SessionOwner;
  sessionId: string;
  channel: string;
  requestId: RequestId;
  upstream: UpstreamCall;
  /** The events that clients may have received, in their order. */
  events: readonly KeptEvent[];
  stream: OwnedStream;
  record: RunningRecord | undefined;
}

/**
 * Goes on with a call that this replica took over. Resolves when the stream has its last event.
 * @throws if the call cannot be continued at all
 */
export type ContinueCall = (call: TakenCall) => Promise<void>;

/** Records the streams of all replicas. */
export interface StreamOwners {
  /** Creates a stream. Nothing is stored before it is opened. */
  create(facts: StreamFacts): OwnedStream;
  /** The stream of a session, if it belongs to this user and can still be resumed. */
  find(sessionId: string, channel: string, user: StreamFacts['user']): Promise<FoundStream | undefined>;
  /**
   * Takes a stream over whose replica does not live any more. A call whose upstream resumes its
   * stream goes on here. For any other, the record is committed with the outcome `error` and the
   * last event of the stream is an error, in one transaction.
   * @returns false while the replica may live, or if the stream was ended already
   */
  takeOver(streamId: string): Promise<boolean>;
  /** Sets the function that goes on with calls of replicas that died. */
  setContinuation(continueCall: ContinueCall): void;
  /** The stored events after `after`, as clients receive them. */
  readEvents(streamId: string, after: number): Promise<readonly string[]>;
  /** Forgets a stream and its events. */
  remove(streamId: string): Promise<void>;
}
