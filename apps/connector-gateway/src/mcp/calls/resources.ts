import { RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Access } from '../access/access.ts';
import type { EndpointScope, UnavailableList } from '../catalog/offers.ts';
import { AmbiguousResourceError, type ResourceMap, type ServedResource } from '../catalog/resource-map.ts';
import { hasResources, mapUris, qualifyUri } from '../catalog/resource-uris.ts';
import type { Connector } from '../ports/snapshot.ts';
import { type ClientCall, createInvalidParamsError, requireText } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { createUnavailableMeta, removeReservedMeta } from './meta.ts';
import { type Plane, requireRequestScope } from './plane.ts';

/** The resources of a user at one endpoint. */
export async function listResources(plane: Plane, { user, scope }: ClientCall): Promise<JsonObject> {
  const { access } = await requireRequestScope(plane, user);
  const unavailable: UnavailableList[] = [];
  const offers = await plane.offers.listResources(access, scope, 'resources', unavailable);
  return {
    resources: offers.map(({ definition, uri }) => removeReservedMeta({ ...definition, uri })),
    ...createUnavailableMeta(unavailable),
  };
}

/** The resource templates of a user at one endpoint. */
export async function listResourceTemplates(plane: Plane, { user, scope }: ClientCall): Promise<JsonObject> {
  const { access } = await requireRequestScope(plane, user);
  const unavailable: UnavailableList[] = [];
  const offers = await plane.offers.listResources(access, scope, 'resourceTemplates', unavailable);
  return {
    resourceTemplates: offers.map(({ definition, uri }) => removeReservedMeta({ ...definition, uriTemplate: uri })),
    ...createUnavailableMeta(unavailable),
  };
}

/**
 * Reads a resource from the connector that serves its URI. A URI of no visible connector is
 * unknown; a URI of several connectors must be qualified.
 */
export async function readResource(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { user, scope, params } = call;
  const requestedUri = requireText(params, 'uri');
  const { access } = await requireRequestScope(plane, user);
  const map = await plane.offers.createResourceMap(access, scope);
  const { connector, uri } = requireResource(map, scope, requestedUri);
  const target = `resources/read ${connector.id} ${uri}`;
  const result = await forwardOrExplain({ plane, call, connector, target }, 'resources/read', { uri }).catch(
    (error: unknown) => {
      throw replaceUri(error, uri, requestedUri);
    },
  );
  if (scope.slug !== undefined) return result;
  // The contents keep the requested URI.
  return mapUris(result, (own) => (own === uri ? requestedUri : map.getExposedUri(connector, own)));
}

/**
 * Rewrites the URIs of a result so that the client reaches the same connector with them.
 * @returns at once a result without resources
 */
export function exposeUris<T extends object>(
  plane: Plane,
  access: Access,
  scope: EndpointScope,
  connector: Connector,
  result: T,
): T | Promise<T> {
  if (scope.slug !== undefined || !hasResources(result)) return result;
  return plane.offers
    .createResourceMap(access, scope)
    .then((map) => mapUris(result, (uri) => map.getExposedUri(connector, uri)));
}

/**
 * The resource of a client's URI. A hidden resource is unknown.
 * @throws RpcError with the URI (SEP-2164), or with the choices if several connectors serve it
 */
export function requireResource(map: ResourceMap, scope: EndpointScope, requestedUri: string): ServedResource {
  const found = findResource(map, scope, requestedUri);
  if (found === undefined) throw createInvalidParamsError('unknown resource', { uri: requestedUri });
  return found;
}

/** Replaces the connector's own URI in the error of an unknown resource. */
function replaceUri(error: unknown, uri: string, requestedUri: string): unknown {
  if (!(error instanceof RpcError) || !isJsonObject(error.data) || error.data['uri'] !== uri) return error;
  return new RpcError(error.rpcCode, error.message, { ...error.data, uri: requestedUri });
}

function findResource(map: ResourceMap, scope: EndpointScope, requestedUri: string): ServedResource | undefined {
  try {
    return scope.slug === undefined ? map.find(requestedUri) : map.findOwn(requestedUri);
  } catch (error) {
    if (!(error instanceof AmbiguousResourceError)) throw error;
    const uri = requestedUri.length > MAX_SHOWN_LENGTH ? '<uri>' : requestedUri;
    const choices = error.slugs.map((slug) => qualifyUri(slug, uri)).join(' or ');
    throw createInvalidParamsError(`several connectors have a resource with this URI: read ${choices}`);
  }
}

/** The longest URI in a message. */
const MAX_SHOWN_LENGTH = 500;
