import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import type { Access } from '../access/access.ts';
import type { EndpointScope, Offer, UnavailableList } from '../catalog/offers.ts';
import { type ClientCall, createInvalidParamsError, requireText } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { createUnavailableMeta, removeReservedMeta } from './meta.ts';
import { type Plane, requireRequestScope } from './plane.ts';
import { exposeUris } from './resources.ts';

/** The prompts of a user at one endpoint. */
export async function listPrompts(plane: Plane, { user, scope }: ClientCall): Promise<JsonObject> {
  const { access } = await requireRequestScope(plane, user);
  const unavailable: UnavailableList[] = [];
  const offers = await plane.offers.listNamed(access, scope, 'prompts', unavailable);
  return {
    prompts: offers.map(({ name, definition }) => removeReservedMeta({ ...definition, name })),
    ...createUnavailableMeta(unavailable),
  };
}

/** Gets a prompt. A prompt that the user cannot list is unknown. */
export async function getPrompt(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { user, scope, params } = call;
  const name = requireText(params, 'name');
  const values = params['arguments'];
  if (values !== undefined && !isTextMap(values))
    throw createInvalidParamsError('params.arguments must be an object of strings');
  const { access } = await requireRequestScope(plane, user);
  const { connector, definition } = await findPrompt(plane, access, scope, name);
  const target = `prompts/get ${connector.id} ${definition.name}`;
  const own = { name: definition.name, ...(values && { arguments: values }) };
  const result = await forwardOrExplain({ plane, call, connector, target }, 'prompts/get', own);
  return exposeUris(plane, access, scope, connector, result);
}

/** The prompt with this name. @throws RpcError if it is not listed, or its list is unavailable */
export async function findPrompt(
  plane: Plane,
  access: Access,
  scope: EndpointScope,
  name: string,
): Promise<Offer<'prompts'>> {
  const found = plane.offers.find(access, scope, 'prompts', name);
  const offer = found instanceof Promise ? await found.catch(throwUnavailablePrompt) : found;
  if (offer === undefined) throw createInvalidParamsError('unknown prompt');
  return offer;
}

function throwUnavailablePrompt(error: unknown): never {
  if (!(error instanceof UpstreamUnavailableError)) throw error;
  throw new RpcError(ErrorCode.internalError, 'the connector of this prompt cannot be used at the moment');
}

const isTextMap = (value: unknown): value is Record<string, string> =>
  isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
