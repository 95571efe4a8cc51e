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
import { cleaned } from './meta.ts';
import type { Offer, Scope } from '../catalogue/offers.ts';
import { noteOnRecord, type Plane, personOf, unavailable, type Visit, visit, visitOf } from './plane.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { withExposedUris } from './resources.ts';
import { failureFacts } from '../upstreams/upstream-failure.ts';
import { UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/**
 * What a call names: the tool and its arguments, as they came out of the one parse of the request.
 */
export interface ToolRequest {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** The tools of a person at one endpoint. */
export async function listTools(plane: Plane, scope: Scope, context: ServerContext): Promise<ListToolsResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.named(access, scope, 'tools');
  return { tools: offers.map(definitionOf) };
}

/** A tool's definition as the caller sees it. */
export const definitionOf = ({ name, definition }: Offer<'tools'>): Offer<'tools'>['definition'] =>
  cleaned({ ...definition, name });

/**
 * The one answer for every tool that a person is not offered: forbidden, switched off, narrowed
 * away, or made up.
 */
const unknownTool = (): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool');

/**
 * Calls a tool. What is not listed to the person is unknown. The record of the call is committed
 * before the upstream is asked, and again before the answer leaves.
 */
export async function callTool(
  plane: Plane,
  scope: Scope,
  server: Server,
  request: ToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const startedAt = plane.now();
  noteOnRecord(context);
  const now = await rightsNow(plane, context, scope, request, startedAt);
  const offer = await plane.offers.find(now.access, scope, 'tools', request.name).catch((error: unknown) => {
    if (error instanceof UpstreamUnavailableError) return error;
    throw error;
  });
  if (offer instanceof UpstreamUnavailableError) {
    const facts = factsOf(plane, scope, request, startedAt, now, undefined);
    const outcome = offer.isOutage ? 'error' : 'unspecified';
    await plane.recorder.refused(facts, 'not_evaluated', `the connector ${offer.message}`, outcome);
    return failed(sentenceAbout({ name: facts.connectorName ?? '' }, offer));
  }
  if (offer === undefined) {
    await plane.recorder.refused(factsOf(plane, scope, request, startedAt, now, undefined), 'denied');
    throw unknownTool();
  }
  const callId = await plane.recorder.started(factsOf(plane, scope, request, startedAt, now, offer));
  let outcome: Outcome = 'error';
  let reached = true;
  try {
    const result = await send(plane, server, context, request, offer);
    outcome = isFinal(result) ? (result.isError === true ? 'error' : 'ok') : 'unspecified';
    return await withExposedUris(plane, now.access, scope, offer.connector, result);
  } catch (error) {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    reached = error.reached;
    plane.log.warn({ connector: offer.connector.id, failure: failureFacts(error) }, 'upstream failed during a call');
    return failed(sentenceAbout(offer.connector, error));
  } finally {
    await plane.recorder.finished(callId, endOf(outcome, reached, plane.now().getTime() - startedAt.getTime()));
  }
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

function send(
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
 * Looks up the person's rights; a call about which nothing can be decided is written down as that.
 */
async function rightsNow(
  plane: Plane,
  context: ServerContext,
  scope: Scope,
  request: ToolRequest,
  startedAt: Date,
): Promise<Visit> {
  const person = personOf(context);
  try {
    return await visit(plane, person);
  } catch (error) {
    if (!(error instanceof DirectoryUnavailableError)) throw error;
    await plane.recorder.refused(
      factsOf(plane, scope, request, startedAt, { person, entitlements: undefined }, undefined),
      'not_evaluated',
    );
    throw unavailable();
  }
}

/**
 * The name of a tool that was not found, as a record shows it: without the slug where the slug
 * names a connector, as in records of found tools. A name that was shortened when it was listed
 * stays as it was asked for; which tool it stood for is not known here.
 */
function askedName(scope: Scope, name: string, connector: Connector | undefined): string {
  if (connector === undefined) return scope.slug === undefined ? name : withSlug(scope.slug, name);
  return scope.slug === undefined ? withoutSlug(name) : name;
}

/**
 * The record of a call. It names the connector of the slug also where the connector is hidden from
 * the caller, for administrators and auditors; the enterprise manager leaves such records out of
 * the caller's own reads. It holds the digest of the arguments of an offered tool; the arguments of
 * any other tool are not read.
 */
export function factsOf(
  plane: Pick<Plane, 'directory'>,
  scope: Scope,
  request: ToolRequest,
  occurredAt: Date,
  { person, entitlements }: Pick<Visit, 'person' | 'entitlements'>,
  offer: Offer<'tools'> | undefined,
): CallFacts {
  const slug = scope.slug ?? slugOf(request.name);
  const connector =
    offer?.connector ?? (slug === undefined ? undefined : plane.directory.rules()?.connectorBySlug(slug));
  return {
    occurredAt,
    issuer: person.issuer,
    subject: person.subject,
    userId: entitlements?.user_id,
    userEmail: recordableEmail(person.email),
    groupIds: entitlements?.groups ?? [],
    connectorId: connector?.id,
    connectorName: connector?.name,
    toolName: recordableName(offer?.definition.name ?? askedName(scope, request.name, connector)),
    argumentsSha256: offer && fingerprint(request.arguments ?? {}),
    definitionVersion: offer && definitionVersion(definitionOf(offer)),
  };
}
