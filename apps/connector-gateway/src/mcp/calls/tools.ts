import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { computeDefinitionVersion, computeFingerprint } from '../upstreams/fingerprint.ts';
import { type CallFacts, createCallEnd, type Outcome, normalizeEmail, normalizeToolName } from '../ports/tool-call.ts';
import type { Connector } from '../ports/snapshot.ts';
import { getSlug, removeSlug, addSlug } from '../catalog/exposed-name.ts';
import { forward, isFinal, describeUnavailableConnector } from './forward.ts';
import { removeReservedMeta } from './meta.ts';
import type { Offer, EndpointScope } from '../catalog/offers.ts';
import {
  markCallRecorded,
  type Plane,
  getUser,
  createDirectoryUnavailableError,
  type RequestScope,
  resolveRequestScope,
  requireRequestScope,
} from './plane.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { exposeUris } from './resources.ts';
import { listFailureFacts } from '../upstreams/upstream-failure.ts';
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
  return { tools: offers.map(getDefinition) };
}

/** A tool's definition for the caller. */
export const getDefinition = ({ name, definition }: Offer<'tools'>): Offer<'tools'>['definition'] =>
  removeReservedMeta({ ...definition, name });

/**
 * The one error for every tool that is not offered to the user: forbidden, disabled, narrowed away
 * or unknown.
 */
const createUnknownToolError = (): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool');

/**
 * Calls a tool. A tool that the user cannot list is unknown. The record is committed before the
 * upstream is called and again before the response is sent.
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
    const facts = createCallFacts(plane, scope, request, startedAt, rights, undefined);
    const outcome = offer.isOutage ? 'error' : 'unspecified';
    await plane.recorder.recordRefusal(facts, 'not_evaluated', `the connector ${offer.message}`, outcome);
    return createErrorResult(describeUnavailableConnector({ name: facts.connectorName ?? '' }, offer));
  }
  if (offer === undefined) {
    await plane.recorder.recordRefusal(createCallFacts(plane, scope, request, startedAt, rights, undefined), 'denied');
    throw createUnknownToolError();
  }
  const callId = await plane.recorder.recordStart(createCallFacts(plane, scope, request, startedAt, rights, offer));
  let outcome: Outcome = 'error';
  let reached = true;
  try {
    const result = await forwardCall(plane, server, context, request, offer);
    outcome = isFinal(result) ? (result.isError === true ? 'error' : 'ok') : 'unspecified';
    return await exposeUris(plane, rights.access, scope, offer.connector, result);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    reached = error.reached;
    plane.log.warn(
      { connector: offer.connector.id, failure: listFailureFacts(error) },
      'upstream failed during a call',
    );
    return createErrorResult(describeUnavailableConnector(offer.connector, error));
  } finally {
    await plane.recorder.recordEnd(
      callId,
      createCallEnd(outcome, reached, plane.now().getTime() - startedAt.getTime()),
    );
  }
}

const createErrorResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

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
  const user = getUser(context);
  try {
    return await resolveRequestScope(plane, user);
  } catch (error) {
    if (!(error instanceof DirectoryUnavailableError)) throw error;
    await plane.recorder.recordRefusal(
      createCallFacts(plane, scope, request, startedAt, { user, entitlements: undefined }, undefined),
      'not_evaluated',
    );
    throw createDirectoryUnavailableError();
  }
}

/**
 * The recorded name of an unknown tool: without the slug if the slug names a connector, as in
 * records of known tools. A shortened name stays as requested, since its original is unknown here.
 */
function getRecordedToolName(scope: EndpointScope, name: string, connector: Connector | undefined): string {
  if (connector === undefined) return scope.slug === undefined ? name : addSlug(scope.slug, name);
  return scope.slug === undefined ? removeSlug(name) : name;
}

/**
 * The facts of a call for its record. They name the connector of the slug even if the connector is
 * hidden from the caller; the enterprise manager hides such records from the caller. Only an
 * offered tool has a digest of its arguments.
 */
export function createCallFacts(
  plane: Pick<Plane, 'directory'>,
  scope: EndpointScope,
  request: ToolRequest,
  occurredAt: Date,
  { user, entitlements }: Pick<RequestScope, 'user' | 'entitlements'>,
  offer: Offer<'tools'> | undefined,
): CallFacts {
  const slug = scope.slug ?? getSlug(request.name);
  const connector =
    offer?.connector ?? (slug === undefined ? undefined : plane.directory.getRules()?.findConnectorBySlug(slug));
  return {
    occurredAt,
    issuer: user.issuer,
    subject: user.subject,
    userId: entitlements?.user_id,
    userEmail: normalizeEmail(user.email),
    groupIds: entitlements?.groups ?? [],
    connectorId: connector?.id,
    connectorName: connector?.name,
    toolName: normalizeToolName(offer?.definition.name ?? getRecordedToolName(scope, request.name, connector)),
    argumentsSha256: offer && computeFingerprint(request.arguments ?? {}),
    definitionVersion: offer && computeDefinitionVersion(getDefinition(offer)),
  };
}
