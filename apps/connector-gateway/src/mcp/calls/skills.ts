import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { isListEntry } from '@gatehouse/mcp/response-items';
import type { Access } from '../access/access.ts';
import type { EndpointScope, UnavailableList } from '../catalog/offers.ts';
import type { ResourceMap } from '../catalog/resource-map.ts';
import type { Connector } from '../ports/snapshot.ts';
import type { Listing } from '../upstreams/upstreams.ts';
import { type ClientCall, createInvalidParamsError, requireText } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { createUnavailableMeta, removeReservedMeta } from './meta.ts';
import { type Plane, requireRequestScope } from './plane.ts';
import { requireResource } from './resources.ts';

type Skill = Listing['skills'];

/** The skills of a user at one endpoint (SEP-2640). */
export async function listSkills(plane: Plane, { user, scope }: ClientCall): Promise<JsonObject> {
  const { access } = await requireRequestScope(plane, user);
  const unavailable: UnavailableList[] = [];
  const offers = await plane.offers.listResources(access, scope, 'skills', unavailable);
  const map = await plane.offers.createResourceMap(access, scope);
  return {
    skills: offers.map(({ connector, definition }) => exposeSkill({ access, scope, map, connector }, definition)),
    ...createUnavailableMeta(unavailable),
  };
}

/**
 * Gets a skill by the URI of its `SKILL.md`. A skill that the user may not read is unknown, also
 * one of a connector without skills.
 */
export async function getSkill(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { view, result } = await forwardByUri(plane, call, {});
  const { skill } = result;
  if (!isSkill(skill)) throw new RpcError(ErrorCode.internalError, 'the connector gave a skill that is not valid');
  return { ...result, skill: exposeSkill(view, skill) };
}

/** Reads a folder of a skill. Children that the user may not read are left out. */
export async function readDirectory(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { cursor } = call.params;
  if (cursor !== undefined && typeof cursor !== 'string')
    throw createInvalidParamsError('params.cursor must be a string');
  const { view, result } = await forwardByUri(plane, call, cursor === undefined ? {} : { cursor });
  const children: unknown = result['resources'];
  if (!Array.isArray(children) || !children.every(isResource))
    throw new RpcError(ErrorCode.internalError, 'the connector gave a folder that is not valid');
  const permitted = children.filter(({ uri }) => canRead(view, uri));
  return {
    ...result,
    resources: permitted.map((child) => removeReservedMeta({ ...child, uri: exposeUri(view, child.uri) })),
  };
}

/** The parts that decide what a user sees of the skills of a connector. */
interface SkillView {
  access: Access;
  scope: EndpointScope;
  map: ResourceMap;
  connector: Connector;
}

/** Forwards a request to the connector of its URI. @throws RpcError for an unknown URI */
async function forwardByUri(
  plane: Plane,
  call: ClientCall,
  further: JsonObject,
): Promise<{ view: SkillView; result: JsonObject }> {
  const { user, scope, params, method } = call;
  const requestedUri = requireText(params, 'uri');
  const { access } = await requireRequestScope(plane, user);
  const map = await plane.offers.createResourceMap(access, scope);
  const { connector, uri } = requireResource(map, scope, requestedUri);
  const target = `${method} ${connector.id} ${uri}`;
  const result = await forwardOrExplain({ plane, call, connector, target }, method, { uri, ...further }).catch(
    (error: unknown) => {
      if (!(error instanceof RpcError) || !UNKNOWN_CODES.has(error.rpcCode)) throw error;
      throw createInvalidParamsError('unknown resource', { uri: requestedUri });
    },
  );
  return { view: { access, scope, map, connector }, result };
}

/** The errors of a server that has no such skill, or no skills at all. */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([ErrorCode.invalidParams, ErrorCode.methodNotFound]);

/**
 * A skill for the client. A manifest is complete (SEP-2640), so a skill with a file that the user
 * may not read has none.
 */
function exposeSkill(view: SkillView, skill: Skill): JsonObject {
  const { uri, resources } = skill;
  const isComplete = resources !== 'dynamic' && resources.every((file) => canRead(view, file.uri));
  return removeReservedMeta({
    ...skill,
    uri: exposeUri(view, uri),
    resources: isComplete ? resources.map((file) => ({ ...file, uri: exposeUri(view, file.uri) })) : 'dynamic',
  });
}

const canRead = ({ access, connector }: SkillView, name: string): boolean =>
  access.isAllowed(connector, { kind: 'resource', name });

const exposeUri = ({ scope, map, connector }: SkillView, uri: string): string =>
  scope.slug === undefined ? map.getExposedUri(connector, uri) : uri;

const isSkill = (value: unknown): value is Skill => isListEntry('skills', value);

const isResource = (value: unknown): value is { uri: string } =>
  isJsonObject(value) && typeof value['uri'] === 'string';
