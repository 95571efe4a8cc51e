import type { RpcRequest } from '@gatehouse/mcp/json-rpc';
import type { StoredSession } from './session-store.ts';

/** A session, with what the proxy needs to open it again when the server has lost it. */
export interface HttpSession extends StoredSession {
  /** Its id at the server; `id`, which the client has, until the first recovery. */
  upstreamId: string;
  /** The request with which the client opened it; undefined when it is not kept. */
  readonly opening: Opening | undefined;
  /** The recovery in progress. */
  recovering: Promise<void> | undefined;
  /** When the last recovery began; milliseconds of the clock of the process. */
  recoveredAt: number;
  /** The requests that have set its log level and its subscriptions, by what they set. */
  readonly settings: Map<string, RpcRequest>;
  /** The methods of notifications that the client gets on its next stream. */
  announcements: readonly string[];
}

/** An `initialize` request. */
export interface Opening {
  readonly body: Buffer;
  /** Path and query at the proxy. */
  readonly target: string;
}
