import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Access } from '../access/access.ts';
import type { Connector } from '../ports/snapshot.ts';
import { type ClientCall, createInvalidParamsError } from './client-call.ts';
import { forwardOrExplain } from './forward.ts';
import { type Plane, requireRequestScope } from './plane.ts';
import { findPrompt } from './prompts.ts';
import { requireResource } from './resources.ts';

/** The prompt, resource or template of a completion, as its connector knows it. */
interface CompletionTarget {
  connector: Connector;
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
}

/**
 * Completes an argument of a prompt or of a resource template (MCP, server/utilities/completion).
 * An entry that the user cannot list is unknown. A connector without completions completes nothing.
 */
export async function completeArgument(plane: Plane, call: ClientCall): Promise<JsonObject> {
  const { user, params } = call;
  const { ref, argument, context } = params;
  if (!isJsonObject(ref)) throw createInvalidParamsError('params.ref must be an object');
  if (!isJsonObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string')
    throw createInvalidParamsError('params.argument must have a name and a value, both strings');
  if (context !== undefined && !isJsonObject(context))
    throw createInvalidParamsError('params.context must be an object');
  const { access } = await requireRequestScope(plane, user);
  const { connector, ref: own } = await findTarget(plane, call, access, ref);
  const target = `completion/complete ${connector.id} ${JSON.stringify(own)}`;
  const sent = { ref: own, argument, ...(context && { context }) };
  try {
    return await forwardOrExplain({ plane, call, connector, target }, 'completion/complete', sent);
  } catch (error) {
    if (error instanceof RpcError && error.rpcCode === ErrorCode.methodNotFound) return { completion: { values: [] } };
    throw error;
  }
}

/** @throws RpcError for what the user cannot list */
async function findTarget(
  plane: Plane,
  { scope }: ClientCall,
  access: Access,
  { type, name, uri }: JsonObject,
): Promise<CompletionTarget> {
  if (type === 'ref/prompt' && typeof name === 'string') {
    const { connector, definition } = await findPrompt(plane, access, scope, name);
    return { connector, ref: { type, name: definition.name } };
  }
  if (type !== 'ref/resource' || typeof uri !== 'string')
    throw createInvalidParamsError('params.ref must be a ref/prompt with a name, or a ref/resource with a uri');
  const templates = await plane.offers.listResources(access, scope, 'resourceTemplates');
  const template = templates.find((offer) => offer.uri === uri);
  if (template !== undefined)
    return { connector: template.connector, ref: { type, uri: template.definition.uriTemplate } };
  const found = requireResource(await plane.offers.createResourceMap(access, scope), scope, uri);
  return { connector: found.connector, ref: { type, uri: found.uri } };
}
