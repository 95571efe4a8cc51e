import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { addSlug, getSlug, removeSlug } from '../catalog/exposed-name.ts';
import type { EndpointScope, Offer } from '../catalog/offers.ts';
import type { Connector } from '../ports/snapshot.ts';
import { type CallFacts, normalizeEmail, normalizeToolName } from '../ports/tool-call.ts';
import { computeDefinitionVersion, computeFingerprint } from '../upstreams/fingerprint.ts';
import { removeReservedMeta } from './meta.ts';
import type { Plane, RequestScope } from './plane.ts';

/** The tool and arguments of a call, from the one parse of the request. */
export interface ToolRequest {
  name: string;
  arguments?: JsonObject | undefined;
}

/** A tool's definition for the caller. */
export const getDefinition = ({ name, definition }: Offer<'tools'>): Offer<'tools'>['definition'] =>
  removeReservedMeta({ ...definition, name });

const definitionVersions = new WeakMap<Offer<'tools'>, string>();

/** The version of a definition, computed once for each offer. */
function getDefinitionVersion(offer: Offer<'tools'>): string {
  let version = definitionVersions.get(offer);
  if (version === undefined) definitionVersions.set(offer, (version = computeDefinitionVersion(getDefinition(offer))));
  return version;
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
    definitionVersion: offer && getDefinitionVersion(offer),
  };
}
