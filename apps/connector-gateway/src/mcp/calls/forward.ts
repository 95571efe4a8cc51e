import { listCauses, findRefusal } from '@gatehouse/egress/egress-refusal';
import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { getProgressToken, MetaKey } from '@gatehouse/mcp/meta';
import { ProtocolError } from '@modelcontextprotocol/client';
import { getUserKey } from '../access/directory-view.ts';
import type { Connector } from '../ports/snapshot.ts';
import type { Forwarding, Relay, Upstream } from '../upstreams/upstream.ts';
import { toUnavailableError, UpstreamUnavailableError } from '../upstreams/upstreams.ts';
import type { ClientCall } from './client-call.ts';
import { removeReserved, removeReservedMeta } from './meta.ts';
import type { Plane } from './plane.ts';

/** Longest error message of an upstream that is passed on. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A client request that is forwarded to one upstream. */
export interface ForwardRequest {
  plane: Plane;
  call: ClientCall;
  connector: Connector;
  /** Binds the state of a request to its method, connector and name or URI. */
  target: string;
}

/**
 * Forwards one request and returns the response for the client. Progress, log messages and requests
 * of the upstream reach the client while it runs. Cancellation by the client cancels it upstream.
 * @throws RpcError with the upstream's own error
 * @throws UpstreamUnavailableError for every other failure
 */
export async function forward<T extends object>(
  request: ForwardRequest,
  send: (upstream: Upstream, extra: Record<string, unknown>, forwarding: Forwarding) => Promise<T>,
): Promise<T> {
  const { plane, call, connector, target } = request;
  const capabilities = selectRequestCapabilities(call);
  const forwarding = createForwarding(call, capabilities);
  const state = await plane.states.open(call.user, target, call.params['requestState']);
  const attempt = { sent: false };
  try {
    const result = await plane.upstreams.call(
      connector,
      {
        key: getOwnerKey(call),
        user: getUserKey(call.user),
        capabilities: call.sessionId === undefined ? {} : capabilities,
      },
      async (upstream) => {
        const extra = createGatewayParams(call, state, (await upstream.isModern()) ? capabilities : undefined);
        attempt.sent = true;
        return send(upstream, extra, forwarding);
      },
      () => call.signal.aborted,
    );
    return removeReservedMeta(isFinal(result) ? result : await sealState(request, result));
  } catch (error) {
    if (call.signal.aborted) throw new RpcError(ErrorCode.internalError, 'cancelled');
    if (error instanceof UpstreamUnavailableError) throw error;
    if (error instanceof ProtocolError)
      throw new RpcError(error.code, error.message.slice(0, MAX_MESSAGE_LENGTH), error.data);
    throw toUnavailableError(error, attempt.sent && !hasNoConnection(error));
  }
}

/**
 * Forwards a request whose result cannot carry a failure: an unavailable upstream becomes an
 * RpcError.
 */
export async function forwardOrExplain<T extends object>(
  ...[request, send]: Parameters<typeof forward<T>>
): Promise<T> {
  try {
    return await forward(request, send);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    throw new RpcError(ErrorCode.internalError, describeUnavailableConnector(request.connector, error));
  }
}

/** The connection key of a request: its session, or its user where no session exists. */
export const getOwnerKey = ({ sessionId, user }: ClientCall): string =>
  sessionId === undefined ? `user ${getUserKey(user)}` : getSessionOwnerKey(sessionId);

/** The connection key of a session. */
export const getSessionOwnerKey = (sessionId: string): string => `session ${sessionId}`;

/** The capabilities with which a server may send requests to a client. */
const REQUEST_CAPABILITIES = ['elicitation', 'sampling', 'roots'] as const;

function selectRequestCapabilities({ capabilities }: ClientCall): JsonObject {
  return Object.fromEntries(
    REQUEST_CAPABILITIES.filter((name) => isJsonObject(capabilities[name])).map((name) => [name, capabilities[name]]),
  );
}

function createGatewayParams(
  { params }: ClientCall,
  state: string | undefined,
  modern: JsonObject | undefined,
): Record<string, unknown> {
  const meta = { ...removeReserved(params['_meta']), ...(modern && { [MetaKey.clientCapabilities]: modern }) };
  const { inputResponses } = params;
  return {
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
    ...(inputResponses !== undefined && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  };
}

async function sealState<T extends object>({ plane, call, target }: ForwardRequest, result: T): Promise<T> {
  const { requestState, ...rest } = result as T & { requestState?: unknown };
  if (typeof requestState !== 'string') return rest as unknown as T;
  return { ...rest, requestState: await plane.states.seal(call.user, target, requestState) } as unknown as T;
}

function createForwarding(call: ClientCall, capabilities: JsonObject): Forwarding {
  const progressToken = getProgressToken(call.params);
  const onprogress =
    progressToken === undefined
      ? undefined
      : (progress: object) => {
          if (call.isClientSlow()) return;
          call.notify({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { ...progress, progressToken },
          });
        };
  return { signal: call.signal, onprogress, relay: createRelay(call, capabilities) };
}

/**
 * Relays requests of the upstream to the client of a session. A client without a session gets them
 * in the response instead.
 */
function createRelay(call: ClientCall, capabilities: JsonObject): Relay {
  const ask = <T>(capability: string, method: string, params?: object): Promise<T> =>
    call.sessionId !== undefined && capabilities[capability] !== undefined
      ? (call.ask(method, params as JsonObject | undefined) as Promise<T>)
      : Promise.reject(
          new ProtocolError(ErrorCode.methodNotFound, 'the client of this call does not support this request'),
        );
  return {
    elicit: (params) => ask('elicitation', 'elicitation/create', params),
    sample: (params) => ask('sampling', 'sampling/createMessage', params),
    listRoots: () => ask('roots', 'roots/list'),
    log: (level, data, logger) => {
      const params = { level, data, ...(logger !== undefined && { logger }) };
      if (!call.isClientSlow()) call.log({ jsonrpc: '2.0', method: 'notifications/message', params });
      return Promise.resolve();
    },
  };
}

/** Describes an unavailable upstream for the user or the model. */
export function describeUnavailableConnector(
  connector: Pick<Connector, 'name'>,
  error: UpstreamUnavailableError,
): string {
  return `The connector "${connector.name}" ${error.message}. ${error.advice}`;
}

const NO_CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether no connection was made, so that the upstream cannot have executed the request. */
function hasNoConnection(error: unknown): boolean {
  const refusal = findRefusal(error);
  if (refusal !== undefined) return refusal.rule !== 'size' && refusal.rule !== 'redirect';
  return listCauses(error).some((cause) => NO_CONNECTION_CODES.has(String((cause as { code?: unknown }).code)));
}

/** Whether a result is final, not a request for input (MCP 2026-07-28). */
export const isFinal = (result: object): boolean => !('resultType' in result) || result.resultType !== 'input_required';
