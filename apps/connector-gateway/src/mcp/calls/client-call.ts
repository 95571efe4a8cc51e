import { ErrorCode, type RequestId, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification } from '@gatehouse/mcp/json-rpc';
import type { UpstreamCall } from '../ports/stream-owners.ts';
import type { RunningRecord } from '../ports/tool-call.ts';
import type { AuthenticatedUser } from '../access/access.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { TaskForm } from '../ports/task-store.ts';

/** One request of a client while a method serves it, and the way back to this client. */
export interface ClientCall {
  readonly user: AuthenticatedUser;
  readonly scope: EndpointScope;
  readonly method: string;
  readonly params: JsonObject;
  /** Id of the legacy session; undefined for a modern request. */
  readonly sessionId: string | undefined;
  /** The capabilities of the client that concern upstreams; see `selectRequestCapabilities`. */
  readonly capabilities: JsonObject;
  /** The form of tasks that the client uses; undefined for a client without tasks. */
  readonly taskForm: TaskForm | undefined;
  /** The minimum severity of log messages that the client named for its session or request. */
  readonly logLevel: string | undefined;
  /** Fires when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** The value of an HTTP header of the request, by its name in lower case. */
  readHeader(name: string): string | undefined;
  /** Whether the call has a record already. */
  isRecorded: boolean;
  /** The record of the call. It is opened before the response becomes an event stream. */
  record: RunningRecord | undefined;
  /**
   * Counts the bytes of the request until the returned function is called, also after the response.
   */
  retainBytes(): () => void;
  /**
   * Whether the client reads slower than the response is written. Progress and log messages are
   * dropped then, since they would only queue up.
   */
  isClientSlow(): boolean;
  /** Sends a notification on the stream of this request. */
  notify(message: RpcNotification): void;
  /** Sends a log message on the stream of this request, if the client wants its severity. */
  log(message: RpcNotification): void;
  /**
   * Sends a request to the client on the stream of this request. @returns the result
   * @param question the upstream's id of the request
   * @throws RpcError with the error of the client, or if the client cannot receive requests
   */
  ask(method: string, params: JsonObject | undefined, question?: RequestId): Promise<JsonObject>;
  /**
   * Receives the call at its upstream whenever the upstream names a place from which its stream can
   * be resumed. @param hasMessage whether a message follows
   */
  follow(upstream: UpstreamCall, hasMessage: boolean): void;
}

/** The error of a request whose params are not those of its method. */
export const createInvalidParamsError = (message: string, data?: JsonObject): RpcError =>
  new RpcError(ErrorCode.invalidParams, message, data);

/**
 * Reads a required text of the params.
 * @throws RpcError also for a text with NUL, which the database does not accept
 */
export function requireText(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value.includes('\0'))
    throw createInvalidParamsError(`params.${name} must be a string without NUL`);
  return value;
}
