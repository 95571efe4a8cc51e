import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { ServerResponse } from 'node:http';
import type { SessionOwner } from './session-store.ts';

/** The user of a forwarded request, as the token says. */
export interface ForwardedUser {
  issuer: string;
  subject: string;
  email?: string | undefined;
  claims: Readonly<Record<string, unknown>>;
}

/** A request of a client that another replica serves for this one. */
export interface ForwardedRequest {
  method: 'GET' | 'POST';
  /** The connector of a `/mcp/{slug}` endpoint; null for `/mcp`. */
  slug: string | null;
  /** The mode of the endpoint; null for all tools. */
  mode: SessionOwner['mode'];
  /** The headers of the protocol, without those that authenticate the client. */
  headers: Readonly<Record<string, string>>;
  /** The user whose token the first replica verified, and the end of this token. */
  user: ForwardedUser;
  expiresAt: string;
  /** The posted message. */
  message?: unknown;
}

/** A client's message about a request at another replica: an answer or a cancellation. */
export interface SessionMessage {
  sessionId: string;
  owner: SessionOwner;
  message: JsonObject;
}

/** The replicas of this gateway. */
export interface Replicas {
  /** The id of this process. */
  readonly id: string;
  /** The address of a living replica; undefined for any other. */
  findUrl(replicaId: string): Promise<string | undefined>;
  /**
   * Sends a request to a replica and its response to the client.
   * @returns false if the replica could not be reached; it has not seen the request then
   * @throws if the replica fails before it answers
   */
  forward(url: string, request: ForwardedRequest, response: ServerResponse): Promise<boolean>;
  /**
   * Sends a message to all other replicas.
   * @throws TooManyMessagesError above the limits of the user
   */
  send(message: SessionMessage): Promise<void>;
  /** The messages of the client of a session in the last 30 s, from all replicas. */
  readMessages(sessionId: string): Promise<readonly SessionMessage[]>;
}

/** A user has sent too many messages, or too many bytes, that wait for other replicas. */
export class TooManyMessagesError extends GatehouseError {
  override readonly code = 'too_many_messages';
  constructor(
    /** Seconds until the waiting messages are deleted. */
    readonly retryAfterSeconds: number,
  ) {
    super('too many answers of this user wait for their calls: send this one again later', { expose: true });
  }
}
