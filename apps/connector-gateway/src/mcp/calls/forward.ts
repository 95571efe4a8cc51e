import { listCauses, findRefusal } from '@gatehouse/egress/egress-refusal';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  isInputRequiredResult,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Connector } from '../ports/snapshot.ts';
import { removeReservedMeta, removeReserved } from './meta.ts';
import { isClientSlow, getUser, type Plane, type SealedState } from './plane.ts';
import { getUserKey } from '../access/directory-view.ts';
import type { Forwarding, Relay, Upstream } from '../upstreams/upstream.ts';
import { toUnavailableError, UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/** Longest error message of an upstream that is passed on. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A client request that is forwarded to one upstream. */
export interface ForwardRequest {
  plane: Plane;
  server: Server;
  context: ServerContext;
  connector: Connector;
  /** Binds the state of a request to its method, connector and name or URI. */
  target: string;
}

/**
 * Forwards one request and returns the response for the client. Progress, log messages and requests
 * of the upstream reach the client while it runs. Cancellation by the client cancels it upstream.
 * @throws ProtocolError with the upstream's own error
 * @throws UpstreamUnavailableError for every other failure
 */
export async function forward<T extends object>(
  request: ForwardRequest,
  send: (upstream: Upstream, extra: Record<string, unknown>, forwarding: Forwarding) => Promise<T>,
): Promise<T> {
  const { plane, server, context, connector, target } = request;
  const capabilities = getCapabilities(server, context);
  const forwarding = createForwarding(context, capabilities);
  const attempt = { sent: false };
  try {
    const result = await plane.upstreams.call(
      connector,
      {
        key: getOwnerKey(context),
        user: getUserKey(getUser(context)),
        capabilities: context.sessionId === undefined ? {} : capabilities,
      },
      async (upstream) => {
        const extra = createGatewayParams(context, target, (await upstream.isModern()) ? capabilities : undefined);
        attempt.sent = true;
        return send(upstream, extra, forwarding);
      },
      () => context.mcpReq.signal.aborted,
    );
    return removeReservedMeta(isInputRequiredResult(result) ? await sealState(plane, context, target, result) : result);
  } catch (error) {
    if (context.mcpReq.signal.aborted) throw new ProtocolError(ProtocolErrorCode.InternalError, 'cancelled');
    if (error instanceof UpstreamUnavailableError) throw error;
    if (error instanceof ProtocolError)
      throw ProtocolError.fromError(error.code, error.message.slice(0, MAX_MESSAGE_LENGTH), error.data);
    throw toUnavailableError(error, attempt.sent && !hasNoConnection(error));
  }
}

/**
 * Forwards a request whose result cannot carry a failure: an unavailable upstream becomes a
 * ProtocolError.
 */
export async function forwardOrExplain<T extends object>(
  ...[request, send]: Parameters<typeof forward<T>>
): Promise<T> {
  try {
    return await forward(request, send);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeUnavailableConnector(request.connector, error));
  }
}

/** The connection key of a request: its session, or its user where no session exists. */
export const getOwnerKey = (context: ServerContext): string =>
  context.sessionId === undefined ? `user ${getUserKey(getUser(context))}` : getSessionOwnerKey(context.sessionId);

/** The connection key of a session. */
export const getSessionOwnerKey = (sessionId: string): string => `session ${sessionId}`;

function getCapabilities(server: Server, context: ServerContext): ClientCapabilities {
  const declared =
    context.sessionId === undefined
      ? ((context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as
          ClientCapabilities | undefined)
      : server.getClientCapabilities();
  const { elicitation, sampling, roots } = declared ?? {};
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), ...(roots && { roots }) };
}

function createGatewayParams(
  context: ServerContext,
  target: string,
  modern: ClientCapabilities | undefined,
): Record<string, unknown> {
  const meta = { ...removeReserved(context.mcpReq._meta), ...(modern && { [CLIENT_CAPABILITIES_META_KEY]: modern }) };
  const round = context.mcpReq.requestState<SealedState>();
  if (round !== undefined && round.target !== target) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState belongs to another request');
  }
  const { inputResponses } = context.mcpReq;
  return {
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
    ...(inputResponses && { inputResponses }),
    ...(round?.state !== undefined && { requestState: round.state }),
  };
}

async function sealState<T extends object>(
  plane: Plane,
  context: ServerContext,
  target: string,
  result: T,
): Promise<T> {
  const { requestState, ...rest } = result as T & { requestState?: unknown };
  if (typeof requestState !== 'string') return rest as unknown as T;
  return { ...rest, requestState: await plane.state.mint({ target, state: requestState }, context) } as unknown as T;
}

function createForwarding(context: ServerContext, capabilities: ClientCapabilities): Forwarding {
  const { signal, _meta } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  const onprogress =
    progressToken === undefined
      ? undefined
      : (progress: Progress) => {
          if (isClientSlow(context)) return;
          context.mcpReq
            .notify({ method: 'notifications/progress', params: { ...progress, progressToken } })
            .catch(() => undefined);
        };
  return { signal, onprogress, relay: createRelay(context, capabilities) };
}

/**
 * Relays requests of the upstream to the client of a session. A client without a session gets them
 * in the response instead.
 */
function createRelay(context: ServerContext, capabilities: ClientCapabilities): Relay {
  const refuse = () =>
    Promise.reject(
      new ProtocolError(ProtocolErrorCode.MethodNotFound, 'the client of this call does not support this request'),
    );
  const { mcpReq } = context;
  const hasSession = context.sessionId !== undefined;
  return {
    elicit: (params) => (hasSession && capabilities.elicitation ? mcpReq.elicitInput(params) : refuse()),
    sample: (params) =>
      hasSession && capabilities.sampling ? (mcpReq.requestSampling(params) as ReturnType<Relay['sample']>) : refuse(),
    listRoots: () => (hasSession && capabilities.roots ? mcpReq.send({ method: 'roots/list' }) : refuse()),
    log: (level, data, logger) =>
      isClientSlow(context) ? Promise.resolve() : mcpReq.log(level, data, logger).catch(() => undefined),
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

/** Whether a result is final, not a request for input. */
export const isFinal = (result: Result): boolean => !isInputRequiredResult(result);
