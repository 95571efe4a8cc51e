import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Connector } from '../ports/snapshot.ts';
import type { Access } from '../access/access.ts';
import { forwardOrExplain } from './forward.ts';
import { cleaned } from './meta.ts';
import type { Scope } from '../catalogue/offers.ts';
import { type Plane, visitOf } from './plane.ts';
import { AmbiguousResourceError, type ResourceMap, type ServedResource } from '../catalogue/resource-map.ts';
import { namesResources, qualifiedUri, withUris } from '../catalogue/resource-uris.ts';

/** The resources of a person at one endpoint. */
export async function listResources(plane: Plane, scope: Scope, context: ServerContext): Promise<ListResourcesResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.resources(access, scope, 'resources');
  return { resources: offers.map(({ definition, uri }) => cleaned({ ...definition, uri })) };
}

/** The resource templates of a person at one endpoint. */
export async function listResourceTemplates(
  plane: Plane,
  scope: Scope,
  context: ServerContext,
): Promise<ListResourceTemplatesResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.resources(access, scope, 'resourceTemplates');
  return { resourceTemplates: offers.map(({ definition, uri }) => cleaned({ ...definition, uriTemplate: uri })) };
}

/**
 * Reads a resource from the connector that serves its URI. What no visible connector serves is
 * unknown; what several serve must be qualified.
 */
export async function readResource(
  plane: Plane,
  scope: Scope,
  server: Server,
  asked: string,
  context: ServerContext,
): Promise<ReadResourceResult> {
  const { access } = await visitOf(plane, context);
  const map = await plane.offers.resourceMap(access, scope);
  const found = find(map, scope, asked);
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown resource');
  const { connector, uri } = found;
  const target = `resources/read ${connector.id} ${uri}`;
  const result = await forwardOrExplain({ plane, server, context, connector, target }, (upstream, extra, forwarding) =>
    upstream.request('resources/read', { ...extra, uri }, forwarding),
  );
  if (scope.slug !== undefined) return result as ReadResourceResult;
  // The contents of what was read have the URI by which it was asked for.
  return withUris(result, (own) => (own === uri ? asked : map.exposed(connector, own))) as ReadResourceResult;
}

/**
 * A result of a connector as a client of an endpoint gets it: each URI in it leads back to this
 * connector.
 */
export async function withExposedUris<T extends object>(
  plane: Plane,
  access: Access,
  scope: Scope,
  connector: Connector,
  result: T,
): Promise<T> {
  if (scope.slug !== undefined || !namesResources(result)) return result;
  const map = await plane.offers.resourceMap(access, scope);
  return withUris(result, (uri) => map.exposed(connector, uri));
}

function find(map: ResourceMap, scope: Scope, asked: string): ServedResource | undefined {
  try {
    return scope.slug === undefined ? map.find(asked) : map.findOwn(asked);
  } catch (error) {
    if (!(error instanceof AmbiguousResourceError)) throw error;
    const uri = asked.length > MAX_SHOWN ? '<uri>' : asked;
    const choices = error.slugs.map((slug) => qualifiedUri(slug, uri)).join(' or ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `several connectors have a resource with this URI: read ${choices}`,
    );
  }
}

/** Longer URIs are not repeated in a message. */
const MAX_SHOWN = 500;
