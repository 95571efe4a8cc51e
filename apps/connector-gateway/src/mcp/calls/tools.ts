import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { definitionVersion, fingerprint } from '../upstreams/fingerprint.ts';
import { type CallFacts, endOf, type Outcome, recordableEmail, recordableName } from '../ports/tool-call.ts';
import type { Connector } from '../ports/snapshot.ts';
import { slugOf, withoutSlug, withSlug } from '../catalogue/exposed-name.ts';
import { forward, isFinal, sentenceAbout } from './forward.ts';
import { withoutReservedMeta } from './meta.ts';
import type { Offer, EndpointScope } from '../catalogue/offers.ts';
import {
  markCallRecorded,
  type Plane,
  userOf,
  directoryUnavailable,
  type RequestScope,
  resolveRequestScope,
  requireRequestScope,
} from './plane.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { withExposedUris } from './resources.ts';
import { failureFacts } from '../upstreams/upstream-failure.ts';
import { UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/** The tool and arguments of a call, from the one parse of the request. */
export interface ToolRequest {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** The tools of a user at one endpoint. */
export async function listTools(plane: Plane, scope: EndpointScope, context: ServerContext): Promise<ListToolsResult> {
  const { access } = await requireRequestScope(plane, context);
  const offers = await plane.offers.listNamed(access, scope, 'tools');
  return { tools: offers.map(definitionOf) };
}

/** A tool's definition for the caller. */
export const definitionOf = ({ name, definition }: Offer<'tools'>): Offer<'tools'>['definition'] =>
  withoutReservedMeta({ ...definition, name });

/**
 * The one error for every tool that is not offered to the user: forbidden, disabled, narrowed away
 * or unknown.
 */
const unknownTool = (): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool');

/**
 * Calls a tool. A tool that the user cannot list is unknown. The record is committed before the
 * upstream is called and again before the answer is sent.
 */
export async function callTool(
  plane: Plane,
  scope: EndpointScope,
  server: Server,
  request: ToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const startedAt = plane.now();
  markCallRecorded(context);
  const rights = await resolveOrRecord(plane, context, scope, request, startedAt);
  const offer = await plane.offers.find(rights.access, scope, 'tools', request.name).catch((error: unknown) => {
    if (error instanceof UpstreamUnavailableError) return error;
    throw error;
  });
  if (offer instanceof UpstreamUnavailableError) {
    const facts = factsOf(plane, scope, request, startedAt, rights, undefined);
    const outcome = offer.isOutage ? 'error' : 'unspecified';
    await plane.recorder.refused(facts, 'not_evaluated', `the connector ${offer.message}`, outcome);
    return errorResult(sentenceAbout({ name: facts.connectorName ?? '' }, offer));
  }
  if (offer === undefined) {
    await plane.recorder.refused(factsOf(plane, scope, request, startedAt, rights, undefined), 'denied');
    throw unknownTool();
  }
  const callId = await plane.recorder.started(factsOf(plane, scope, request, startedAt, rights, offer));
  let outcome: Outcome = 'error';
  let reached = true;
  try {
    const result = await forwardCall(plane, server, context, request, offer);
    outcome = isFinal(result) ? (result.isError === true ? 'error' : 'ok') : 'unspecified';
    return await withExposedUris(plane, rights.access, scope, offer.connector, result);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    reached = error.reached;
    plane.log.warn({ connector: offer.connector.id, failure: failureFacts(error) }, 'upstream failed during a call');
    return errorResult(sentenceAbout(offer.connector, error));
  } finally {
    await plane.recorder.finished(callId, endOf(outcome, reached, plane.now().getTime() - startedAt.getTime()));
  }
}

const errorResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

function forwardCall(
  plane: Plane,
  server: Server,
  context: ServerContext,
  request: ToolRequest,
  offer: Offer<'tools'>,
): Promise<CallToolResult> {
  const { connector, definition } = offer;
  const target = `tools/call ${connector.id} ${definition.name}`;
  return forward({ plane, server, context, connector, target }, (upstream, extra, forwarding) =>
    upstream.callTool(
      { ...extra, name: definition.name, ...(request.arguments && { arguments: request.arguments }) },
      definition,
      forwarding,
    ),
  );
}

/**
 * Looks up the user's rights. If the directory is unavailable, the call is recorded as not
 * evaluated.
 */
async function resolveOrRecord(
  plane: Plane,
  context: ServerContext,
  scope: EndpointScope,
  request: ToolRequest,
  startedAt: Date,
): Promise<RequestScope> {
  const user = userOf(context);
  try {
    return await resolveRequestScope(plane, user);
  } catch (error) {
    if (!(error instanceof DirectoryUnavailableError)) throw error;
    await plane.recorder.refused(
      factsOf(plane, scope, request, startedAt, { user, entitlements: undefined }, undefined),
      'not_evaluated',
    );
    throw directoryUnavailable();
  }
}

/**
 * The recorded name of an unknown tool: without the slug if the slug names a connector, as in
 * records of known tools. A shortened name stays as requested, since its original is unknown here.
 */
function recordedToolName(scope: EndpointScope, name: string, connector: Connector | undefined): string {
  if (connector === undefined) return scope.slug === undefined ? name : withSlug(scope.slug, name);
  return scope.slug === undefined ? withoutSlug(name) : name;
}

/**
 * The facts of a call for its record. They name the connector of the slug even if the connector is
 * hidden from the caller; the enterprise manager hides such records from the caller. Only an
 * offered tool has a digest of its arguments.
 */
export function factsOf(
  plane: Pick<Plane, 'directory'>,
  scope: EndpointScope,
  request: ToolRequest,
  occurredAt: Date,
  { user, entitlements }: Pick<RequestScope, 'user' | 'entitlements'>,
  offer: Offer<'tools'> | undefined,
): CallFacts {
  const slug = scope.slug ?? slugOf(request.name);
  const connector =
    offer?.connector ?? (slug === undefined ? undefined : plane.directory.rules()?.connectorBySlug(slug));
  return {
    occurredAt,
    issuer: user.issuer,
    subject: user.subject,
    userId: entitlements?.user_id,
    userEmail: recordableEmail(user.email),
    groupIds: entitlements?.groups ?? [],
    connectorId: connector?.id,
    connectorName: connector?.name,
    toolName: recordableName(offer?.definition.name ?? recordedToolName(scope, request.name, connector)),
    argumentsSha256: offer && fingerprint(request.arguments ?? {}),
    definitionVersion: offer && definitionVersion(definitionOf(offer)),
  };
}
