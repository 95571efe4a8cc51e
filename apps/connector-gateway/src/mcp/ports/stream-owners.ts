import type { RequestId } from '@gatehouse/mcp/errors';
import type { EventLog } from '@gatehouse/mcp/server/channel';
import type { SessionOwner } from './session-store.ts';

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

/** A stream of this replica. Its events are stored while it is open. */
export interface OwnedStream extends EventLog {
  /** Records the owner. It precedes the first event, so that no event is without an owner. */
  open(): Promise<void>;
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
  /** Whether the replica that serves it lives. */
  isOwnerAlive: boolean;
  /** The address of this replica for others. */
  ownerUrl: string | undefined;
}

/** Records the streams of all replicas. */
export interface StreamOwners {
  /** Creates a stream. Nothing is stored before it is opened. */
  create(facts: StreamFacts): OwnedStream;
  /** The stream of a session, if it belongs to this user and can still be resumed. */
  find(sessionId: string, channel: string, user: StreamFacts['user']): Promise<FoundStream | undefined>;
  /**
   * Ends a stream whose replica does not live any more. The record of its call is committed with
   * the outcome `error` and the last event of the stream is an error, in one transaction.
   * @returns false while the replica may live, or if the stream was ended already
   */
  endAbandoned(streamId: string): Promise<boolean>;
  /** The stored events after `after`, as clients receive them. */
  readEvents(streamId: string, after: number): Promise<readonly string[]>;
  /** Forgets a stream and its events. */
  remove(streamId: string): Promise<void>;
}
