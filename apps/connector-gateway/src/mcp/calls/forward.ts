import type { RequestHeaders } from '@gatehouse/mcp/client/connection';
import { ConnectionError } from '@gatehouse/mcp/client/connection-errors';
import { createErrorResponse, ErrorCode, type RequestId, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject, type RpcNotification } from '@gatehouse/mcp/json-rpc';
import { getProgressToken, MetaKey } from '@gatehouse/mcp/meta';
import { isLogLevel } from '@gatehouse/mcp/log-levels';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { randomUUID } from 'node:crypto';
import { getUserKey } from '../access/directory-view.ts';
import type { Connector } from '../ports/snapshot.ts';
import { getCapabilitiesKey } from '../upstreams/capabilities-key.ts';
import { CallContent } from './call-content.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import type { CallOwner } from '../upstreams/identity-runtime.ts';
import type { Forwarding, Upstream } from '../upstreams/upstream.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import { toUnavailableError } from '../upstreams/upstreams.ts';
import type { ClientCall } from './client-call.ts';
import { removeReserved, removeReservedMeta } from './meta.ts';
import { type BridgedCall, createBridgedCall } from './parked-calls.ts';
import type { Plane } from './plane.ts';
import { exposeParams, type TaskIds } from './related-task.ts';
import type { RequestCapability } from './request-capabilities.ts';
import { requireValidResult } from './results.ts';
import { askToSignIn, removeSignInAnswer } from './sign-in.ts';

/** Longest error message of an upstream that is passed on. */
export const MAX_MESSAGE_LENGTH = 2_000;

/** A client request that is forwarded to one upstream. */
export interface ForwardRequest {
  plane: Plane;
  call: ClientCall;
  connector: Connector;
  /** Binds the state of a request to its method, connector and name or URI. */
  target: string;
  /** The task that the request is about, and the key of the connection that created it. */
  task?: TaskIds & { ownerKey: string };
  /** Longest time between two messages of the upstream; default: that of calls. */
  idleTimeoutMs?: number;
  /**
   * Time of arrival of a call that another replica may continue, in milliseconds since the epoch;
   * undefined for a request that none continues.
   */
  followedSince?: number;
}

/** Creates the headers of a request from its params, as they are sent. */
type CreateParamHeaders = (params: JsonObject) => RequestHeaders | undefined;

/** Most rounds in which an upstream may ask the client of one call for input. */
const MAX_ROUNDS = 8;

/**
 * Forwards one request and returns the response for the client. Progress, log messages and requests
 * of the upstream reach the client while it runs. Cancellation by the client cancels it upstream.
 * @param params of the method for this upstream, without `_meta`
 * @throws RpcError with the upstream's own error
 * @throws UpstreamUnavailableError for every other failure
 */
export function forward(
  request: ForwardRequest,
  method: string,
  params: JsonObject,
  createHeaders?: CreateParamHeaders,
): Promise<JsonObject> {
  return request.call.sessionId === undefined
    ? bridge(request, method, params, createHeaders)
    : exchange(request, method, params, createHeaders);
}

/** Forwards a request of a modern client, or continues one that asked for input. */
async function bridge(
  request: ForwardRequest,
  method: string,
  params: JsonObject,
  createHeaders: CreateParamHeaders | undefined,
): Promise<JsonObject> {
  const { plane, call, target } = request;
  const isContinued = call.params['requestState'] !== undefined;
  let bridged = isContinued ? await plane.parked.take(call, target) : undefined;
  if (bridged === undefined) {
    const started = createBridgedCall(call);
    const release = call.retainBytes();
    started.start(() => exchange(request, method, params, createHeaders, started).finally(release));
    bridged = started;
  } else bridged.answer(call.params['inputResponses']);
  return (await bridged.wait(call)) ?? plane.parked.park(call, target, bridged);
}

/**
 * Exchanges messages with one upstream until the result for the client exists.
 * @param bridged receives the questions for a modern client
 */
async function exchange(
  request: ForwardRequest,
  method: string,
  params: JsonObject,
  createHeaders: CreateParamHeaders | undefined,
  bridged?: BridgedCall,
): Promise<JsonObject> {
  const { plane, call, connector, target } = request;
  const { capabilities } = call;
  const content = new CallContent(plane, connector);
  const forwarding = createForwarding(request, capabilities, content, bridged);
  const { signal } = forwarding;
  const { requestState: sealed } = call.params;
  const inputResponses = removeSignInAnswer(call.params['inputResponses']);
  const requestState = sealed === undefined ? undefined : await plane.states.open(call.user, target, sealed);
  let round: JsonObject = {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
  const meta = createMeta(call);
  const upstream = createTarget(connector, call.user);
  const owner = { ...createCallOwner(call), ...(request.task && { key: request.task.ownerKey }) };
  for (let rounds = 1; ; rounds += 1) {
    const controlled = content.send({ ...params, ...round });
    const own = controlled instanceof Promise ? await controlled : controlled;
    const send = async (connection: Upstream) => {
      const sent = { ...own, ...(meta && { _meta: meta }) };
      const result = await connection.request(method, sent, { ...forwarding, headers: createHeaders?.(own) });
      return isFinal(result) ? requireValidResult(method, result) : result;
    };
    const answered = await plane.upstreams
      .call(upstream, owner, send, () => signal.aborted)
      .catch((error: unknown) => throwFailure(error, signal, content));
    const received = content.receive(answered);
    const result = received instanceof Promise ? await received : received;
    const settled = content.settle();
    if (settled !== undefined) await settled;
    if (isFinal(result)) return removeReservedMeta(result);
    if (call.sessionId === undefined) return removeReservedMeta(await sealState(request, result));
    if (rounds === MAX_ROUNDS)
      throw new RpcError(ErrorCode.internalError, `the connector asked for input more than ${MAX_ROUNDS} times`);
    round = await answerInputRequests(call, capabilities, result);
  }
}

/** Throws the failure of an upstream in the form for the client. */
async function throwFailure(error: unknown, signal: AbortSignal, content: CallContent): Promise<never> {
  if (signal.aborted) throw new RpcError(ErrorCode.internalError, 'cancelled');
  if (error instanceof UpstreamUnavailableError) throw error;
  if (error instanceof RpcError) {
    const { message, data } = await content.receive({ message: error.message, data: error.data });
    await content.settle();
    throw new RpcError(error.rpcCode, message.slice(0, MAX_MESSAGE_LENGTH), data);
  }
  throw toUnavailableError(error, mayHaveRun(error));
}

/**
 * Forwards a request whose result cannot carry a failure: an unavailable upstream becomes an
 * RpcError.
 */
export async function forwardOrExplain(...parameters: Parameters<typeof forward>): Promise<JsonObject> {
  try {
    return await forward(...parameters);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    const { plane, call, connector } = parameters[0];
    const explained = await explainUnavailable(plane, call, connector, error);
    if (typeof explained !== 'string') return explained;
    throw new RpcError(ErrorCode.internalError, explained);
  }
}

/**
 * The owner of a request at its upstream. The key of the connection is the session, or the user and
 * the declared capabilities where no session exists.
 */
export function createCallOwner(call: ClientCall): CallOwner {
  const { capabilities, sessionId } = call;
  const user = getUserKey(call.user);
  const key =
    sessionId === undefined ? `user ${user} ${getCapabilitiesKey(capabilities)}` : getSessionOwnerKey(sessionId);
  return { key, user, capabilities };
}

/** The connection key of a session. */
export const getSessionOwnerKey = (sessionId: string): string => `session ${sessionId}`;

/** The `_meta` of the forwarded request: the client's own members, and the log level it wants. */
function createMeta({ params, logLevel }: ClientCall): JsonObject | undefined {
  const own = removeReserved(params['_meta']);
  return logLevel === undefined ? own : { ...own, [MetaKey.logLevel]: logLevel };
}

async function sealState(
  { plane, call, target }: ForwardRequest,
  { requestState, ...rest }: JsonObject,
): Promise<JsonObject> {
  if (typeof requestState !== 'string') return rest;
  return { ...rest, requestState: await plane.states.seal(call.user, target, requestState) };
}

/**
 * Asks the client of a session for the input that a modern upstream requires, on the stream of its
 * call. @returns the members of the next round @throws RpcError if the client gives no input
 */
async function answerInputRequests(
  call: ClientCall,
  capabilities: JsonObject,
  { inputRequests, requestState }: JsonObject,
): Promise<JsonObject> {
  const inputResponses: JsonObject = {};
  for (const [name, input] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {})) {
    if (!isJsonObject(input) || typeof input['method'] !== 'string')
      throw new RpcError(ErrorCode.internalError, 'the connector asked for input in an unknown form');
    inputResponses[name] = await ask(call, capabilities, input['method'], addElicitationId(input['params']));
  }
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

/** Clients of 2025-11-25 need an id in URL elicitation, which 2026-07-28 does not have. */
const addElicitationId = (params: unknown): unknown =>
  isJsonObject(params) && params['mode'] === 'url' ? { elicitationId: randomUUID(), ...params } : params;

/** Passes the messages of an upstream to the client of a call, and the client's answers back. */
export function createForwarding(
  request: ForwardRequest,
  capabilities: JsonObject,
  content: CallContent,
  bridged?: BridgedCall,
): Forwarding {
  const { call, task, idleTimeoutMs } = request;
  return {
    onPosition: createFollower(request, content),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    signal: bridged === undefined ? call.signal : bridged.signal,
    progressToken: getProgressToken(call.params),
    logLevel: isLogLevel(call.logLevel) ? { level: call.logLevel, isExact: call.sessionId !== undefined } : undefined,
    onNotification: (received) =>
      content.deliver(received, (message) => {
        const current = bridged === undefined ? call : bridged.current;
        // Progress and log messages would only queue up.
        if (current === undefined || current.isClientSlow()) return;
        const exposed = { ...message, ...(message.params && { params: exposeParams(message.params, task) }) };
        if (message.method === 'notifications/progress') notifyProgress(current, exposed);
        if (message.method === 'notifications/message') current.log(exposed);
      }),
    onRequest: async ({ id, method, params: given }) => {
      try {
        const result = await content.deliverRequest({ method, params: given }, ({ params }) =>
          ask(bridged ?? call, capabilities, method, params, task, id),
        );
        return { jsonrpc: '2.0', id, result: await content.send(result) };
      } catch (error) {
        if (error instanceof RpcError) return createErrorResponse(id, error.rpcCode, error.message, error.data);
        if (!(error instanceof UpstreamUnavailableError)) throw error;
        return createErrorResponse(id, ErrorCode.invalidParams, `The connector ${error.message}.`);
      }
    },
  };
}

/** Follows a call of a session at its upstream, so that another replica can continue it. */
function createFollower(
  { call, connector, followedSince }: ForwardRequest,
  content: CallContent,
): Forwarding['onPosition'] {
  if (call.sessionId === undefined || followedSince === undefined) return undefined;
  const { id: connectorId, endpoint, auth } = connector;
  const progressToken = getProgressToken(call.params);
  const facts = { connectorId, endpoint, authType: auth.type, progressToken, startedAt: followedSince };
  // An event counts as received only after the messages before it were passed on.
  return (position, hasMessage) => content.runInOrder(() => call.follow({ ...facts, position }, hasMessage));
}

/** The capability that a client declares for each request of a server. */
const ASKED_CAPABILITIES: ReadonlyMap<string, RequestCapability> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Passes a request of the upstream to the client of the call. @throws RpcError */
async function ask(
  call: Pick<ClientCall, 'ask'>,
  capabilities: JsonObject,
  method: string,
  params: unknown,
  task?: TaskIds,
  question?: RequestId,
): Promise<JsonObject> {
  const capability = ASKED_CAPABILITIES.get(method);
  if (capability === undefined || capabilities[capability] === undefined)
    throw new RpcError(ErrorCode.methodNotFound, 'the client of this call does not support this request');
  return call.ask(method, isJsonObject(params) ? exposeParams(params, task) : undefined, question);
}

/** Passes progress on, under the token of the request that waits now. */
function notifyProgress(call: ClientCall, message: RpcNotification): void {
  const progressToken = getProgressToken(call.params);
  if (progressToken !== undefined) call.notify({ ...message, params: { ...message.params, progressToken } });
}

/**
 * Describes an unavailable upstream for the user or the model, or asks for the missing sign-in. The
 * gateway has no link for a consent that a provider wants for an exchange.
 * @returns a text, or a result with a question @throws RpcError with a question
 */
export const explainUnavailable = (
  plane: Plane,
  call: ClientCall,
  connector: Connector,
  error: UpstreamUnavailableError,
): Promise<JsonObject | string> =>
  error.signInReason === undefined || error.signInReason === 'consent_required'
    ? Promise.resolve(describeUnavailableConnector(connector, error))
    : askToSignIn(plane, call, connector, error.message);

/** Describes an unavailable upstream for the user or the model. */
export function describeUnavailableConnector(
  connector: Pick<Connector, 'name'>,
  error: UpstreamUnavailableError,
): string {
  return `The connector "${connector.name}" ${error.message}. ${error.advice}`;
}

/** Whether the upstream may have executed the request. */
const mayHaveRun = (error: unknown): boolean =>
  !(error instanceof ConnectionError || error instanceof ResponseLimitError) || error.mayHaveRun;

/** Whether a result is final, not a request for input (MCP 2026-07-28). */
export const isFinal = (result: object): boolean => !('resultType' in result) || result.resultType !== 'input_required';
