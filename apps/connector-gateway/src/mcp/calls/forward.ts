import { causesOf, refusalIn } from '@gatehouse/egress/egress-refusal';
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
import { cleaned, withoutReserved } from './meta.ts';
import { isBehind, personOf, type Plane, type SealedState } from './plane.ts';
import { personKey } from '../access/directory-view.ts';
import type { Forwarding, Relay, Upstream } from '../upstreams/upstream.ts';
import { unavailable, UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/** Longest error message of an upstream that is passed on. */
const MAX_MESSAGE = 2_000;

/** One request of a client on its way to one upstream. */
export interface ForwardRequest {
  plane: Plane;
  server: Server;
  context: ServerContext;
  connector: Connector;
  /**
   * Names the thing that is asked for, so that the state of one request cannot be used in another.
   */
  target: string;
}

/**
 * Passes one request on and gives back the answer as the client may see it. Progress, log messages
 * and questions of the upstream flow back while it runs; cancelling it cancels it upstream.
 * @throws ProtocolError with the upstream's own error; UpstreamUnavailableError for everything else
 * that went wrong
 */
export async function forward<T extends object>(
  request: ForwardRequest,
  send: (upstream: Upstream, extra: Record<string, unknown>, forwarding: Forwarding) => Promise<T>,
): Promise<T> {
  const { plane, server, context, connector, target } = request;
  const capabilities = capabilitiesOf(server, context);
  const forwarding = forwardingOf(context, capabilities);
  const attempt = { sent: false };
  try {
    const result = await plane.upstreams.call(
      connector,
      {
        key: ownerOf(context),
        person: personKey(personOf(context)),
        capabilities: context.sessionId === undefined ? {} : capabilities,
      },
      async (upstream) => {
        const extra = extraParams(context, target, (await upstream.isModern()) ? capabilities : undefined);
        attempt.sent = true;
        return send(upstream, extra, forwarding);
      },
      () => context.mcpReq.signal.aborted,
    );
    return cleaned(isInputRequiredResult(result) ? await sealed(plane, context, target, result) : result);
  } catch (error) {
    if (context.mcpReq.signal.aborted) throw new ProtocolError(ProtocolErrorCode.InternalError, 'cancelled');
    if (error instanceof UpstreamUnavailableError) throw error;
    if (error instanceof ProtocolError)
      throw ProtocolError.fromError(error.code, error.message.slice(0, MAX_MESSAGE), error.data);
    throw unavailable(error, attempt.sent && !wasNeverDialled(error));
  }
}

/**
 * The same where there is no result that could carry a failure: an upstream that could not be used
 * becomes an error with a sentence.
 */
export async function forwardOrExplain<T extends object>(
  ...[request, send]: Parameters<typeof forward<T>>
): Promise<T> {
  try {
    return await forward(request, send);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, sentenceAbout(request.connector, error));
  }
}

/**
 * The key of the connections that a request may use: those of its own session, or of its person
 * where there are no sessions.
 */
export const ownerOf = (context: ServerContext): string =>
  context.sessionId === undefined ? `person ${personKey(personOf(context))}` : sessionOwner(context.sessionId);

/** The key of the connections of one session. */
export const sessionOwner = (sessionId: string): string => `session ${sessionId}`;

function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities {
  const declared =
    context.sessionId === undefined
      ? ((context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as
          ClientCapabilities | undefined)
      : server.getClientCapabilities();
  const { elicitation, sampling, roots } = declared ?? {};
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), ...(roots && { roots }) };
}

function extraParams(
  context: ServerContext,
  target: string,
  modern: ClientCapabilities | undefined,
): Record<string, unknown> {
  const meta = { ...withoutReserved(context.mcpReq._meta), ...(modern && { [CLIENT_CAPABILITIES_META_KEY]: modern }) };
  const round = context.mcpReq.requestState<SealedState>();
  if (round !== undefined && round.target !== target) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState was given out for another request');
  }
  const { inputResponses } = context.mcpReq;
  return {
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
    ...(inputResponses && { inputResponses }),
    ...(round?.state !== undefined && { requestState: round.state }),
  };
}

async function sealed<T extends object>(plane: Plane, context: ServerContext, target: string, result: T): Promise<T> {
  const { requestState, ...rest } = result as T & { requestState?: unknown };
  if (typeof requestState !== 'string') return rest as unknown as T;
  return { ...rest, requestState: await plane.state.mint({ target, state: requestState }, context) } as unknown as T;
}

function forwardingOf(context: ServerContext, capabilities: ClientCapabilities): Forwarding {
  const { signal, _meta } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  const onprogress =
    progressToken === undefined
      ? undefined
      : (progress: Progress) => {
          if (isBehind(context)) return;
          context.mcpReq
            .notify({ method: 'notifications/progress', params: { ...progress, progressToken } })
            .catch(() => undefined);
        };
  return { signal, onprogress, relay: relayOf(context, capabilities) };
}

/**
 * Only a client of a session can be asked something in the middle of a request; a modern one is
 * asked in the answer.
 */
function relayOf(context: ServerContext, capabilities: ClientCapabilities): Relay {
  const refuse = () =>
    Promise.reject(new ProtocolError(ProtocolErrorCode.MethodNotFound, 'the client behind this call cannot be asked'));
  const { mcpReq } = context;
  const able = context.sessionId !== undefined;
  return {
    elicit: (params) => (able && capabilities.elicitation ? mcpReq.elicitInput(params) : refuse()),
    sample: (params) =>
      able && capabilities.sampling ? (mcpReq.requestSampling(params) as ReturnType<Relay['sample']>) : refuse(),
    roots: () => (able && capabilities.roots ? mcpReq.send({ method: 'roots/list' }) : refuse()),
    log: (level, data, logger) =>
      isBehind(context) ? Promise.resolve() : mcpReq.log(level, data, logger).catch(() => undefined),
  };
}

/** A sentence for a model or a person about an upstream that could not be used. */
export function sentenceAbout(connector: Pick<Connector, 'name'>, error: UpstreamUnavailableError): string {
  return `The connector "${connector.name}" ${error.message}. ${error.advice}`;
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection came about, so nothing can have been executed. */
function wasNeverDialled(error: unknown): boolean {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return refusal.rule !== 'size' && refusal.rule !== 'redirect';
  return causesOf(error).some((cause) => NO_CONNECTION.has(String((cause as { code?: unknown }).code)));
}

/** Whether an upstream's answer is an answer, and not a question. */
export const isFinal = (result: Result): boolean => !isInputRequiredResult(result);
